//! The states of one layer, each with its least known cost and the level of that cost.

/// The maximum number of levels. A level and a cost share a word.
pub const LEVELS: usize = 256;
/// The maximum cost.
pub const MOST_COST: u32 = (1 << SHIFT) - 1;
const SHIFT: u32 = 24;
const SMALLEST: usize = 16;

/// A hash table with open addressing. The empty board is never a state here, so 0 marks a free slot.
pub struct LayerTable {
    keys: Vec<u64>,
    marks: Vec<u32>,
    len: usize,
    /// The number of states in each level.
    levels: Vec<usize>,
}

fn place(key: u64) -> usize {
    ((key ^ (key >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize
}

impl LayerTable {
    pub fn new(levels: usize) -> LayerTable {
        LayerTable { keys: Vec::new(), marks: Vec::new(), len: 0, levels: vec![0; levels] }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn level(&self, level: usize) -> usize {
        self.levels[level]
    }

    pub fn bytes(&self) -> usize {
        self.keys.len() * (size_of::<u64>() + size_of::<u32>()) + self.levels.len() * size_of::<usize>()
    }

    /// The number of bytes after the table has grown.
    pub fn bytes_grown(&self) -> usize {
        (2 * self.keys.len()).max(SMALLEST) * (size_of::<u64>() + size_of::<u32>())
    }

    /// True if adding a state will make the table grow.
    pub fn is_full(&self) -> bool {
        self.len * 5 >= self.keys.len() * 3
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut at = place(key) & mask;
        while self.keys[at] != 0 && self.keys[at] != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Adds a state, or a cheaper path to it. A lower cost never has a higher level. Returns true if anything changed.
    pub fn put(&mut self, key: u64, level: usize, cost: u32) -> bool {
        if self.is_full() {
            self.grow();
        }
        let mark = (level as u32) << SHIFT | cost;
        let at = self.slot(key);
        if self.keys[at] == 0 {
            self.keys[at] = key;
            self.len += 1;
        } else if mark < self.marks[at] {
            self.levels[(self.marks[at] >> SHIFT) as usize] -= 1;
        } else {
            return false;
        }
        self.marks[at] = mark;
        self.levels[level] += 1;
        true
    }

    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.keys.len()).max(SMALLEST);
        let keys = std::mem::replace(&mut self.keys, vec![0; size]);
        let marks = std::mem::replace(&mut self.marks, vec![0; size]);
        for (key, mark) in keys.into_iter().zip(marks).filter(|&(key, _)| key != 0) {
            let at = self.slot(key);
            (self.keys[at], self.marks[at]) = (key, mark);
        }
    }

    /// The least known cost of a state.
    pub fn cost(&self, key: u64) -> Option<u32> {
        if self.keys.is_empty() {
            return None;
        }
        let at = self.slot(key);
        (self.keys[at] != 0).then(|| self.marks[at] & MOST_COST)
    }

    /// All states with their levels and costs.
    pub fn iter(&self) -> impl Iterator<Item = (u64, usize, u32)> + '_ {
        let entry = |(&key, &mark): (&u64, &u32)| (key, (mark >> SHIFT) as usize, mark & MOST_COST);
        self.keys.iter().zip(&self.marks).filter(|&(&key, _)| key != 0).map(entry)
    }
}
