//! Coordinates for a coset whose columns fall into four classes.
//!
//! A member is given by a choice `z` of words. The columns of one class depend only on some linear functions of `z`, whose number is the
//! rank of the class. Their values form the *index* of the class. The four classes are paired. Two compatible indices of a pair
//! represent exactly one member, if necessary with a few *spare* bits for what the indices leave open, and the indices of the other
//! pair are linear functions of them. Everything is found by computing ranks; nothing is assumed about the classes.

use crate::gf2::echelon::LinearMap;

/// The span of the added vectors. It can express every vector in the span as a sum of added vectors.
#[derive(Default)]
struct Span {
    /// Vectors with distinct leading bits, largest first, each with the set of added vectors whose sum it is.
    reduced: Vec<(u128, u128)>,
    len: u32,
}

impl Span {
    /// The remainder of a vector modulo the span, and the vectors whose sum was subtracted.
    fn express(&self, mut vector: u128) -> (u128, u128) {
        let mut sum = 0;
        for &(reduced, how) in &self.reduced {
            if vector ^ reduced < vector {
                vector ^= reduced;
                sum ^= how;
            }
        }
        (vector, sum)
    }

    /// Adds a vector. If the vector is already in the span, returns the set of added vectors whose sum it is.
    fn add(&mut self, vector: u128) -> Result<(), u128> {
        let (rest, how) = self.express(vector);
        if rest == 0 {
            return Err(how);
        }
        let at = self.reduced.partition_point(|&(reduced, _)| reduced > rest);
        self.reduced.insert(at, (rest, how | 1 << self.len));
        self.len += 1;
        Ok(())
    }
}

/// The columns of a class.
pub struct Class {
    /// Linearly independent columns. Bit `i` of the index is the sum of the bits of `z` that flip the `i`-th of these columns.
    basis: Vec<u128>,
    /// All columns of the class: the position of each in the code, and the bits of the index that flip it.
    pub columns: Vec<(usize, u64)>,
}

impl Class {
    pub fn rank(&self) -> u32 {
        self.basis.len() as u32
    }
}

/// The linear map in which output bit `j` is the sum of the input bits in `masks[j]`.
fn map_of(masks: &[u128]) -> LinearMap {
    LinearMap::new(|bit| masks.iter().enumerate().fold(0, |out, (j, mask)| out | ((mask >> bit & 1) as u64) << j))
}

/// A linear function of the two indices of a pair and the spare bits: the sum of three maps.
pub struct Joint {
    pub first: LinearMap,
    pub second: LinearMap,
    pub spare: LinearMap,
}

/// One way to assemble members: from the indices of a pair of classes, which determine the indices of the other two classes.
pub struct ClassPair {
    pub pair: [usize; 2],
    /// The class whose table is looked up for every pair of indices.
    pub probe: usize,
    /// The remaining class.
    pub last: usize,
    /// The number of spare bits.
    pub spare: u32,
    /// The number of bits in which the two indices of the pair must agree.
    pub overlap: u32,
    /// Maps a pair to the index of `probe`. The bits above that index are the ones in which the two indices of the pair must agree.
    pub to_probe: Joint,
    pub to_last: Joint,
    /// Linearly independent vectors, each with the position of its dot product with `z`: a bit of the first index (0), of the second (1)
    /// or of the spare bits (2).
    places: Vec<(u128, usize, u32)>,
}

impl ClassPair {
    /// `None` if an index, together with the bits that must agree, does not fit in a word.
    fn new(classes: &[Class; 4], dims: usize, pair: [usize; 2], [probe, last]: [usize; 2]) -> Option<ClassPair> {
        let mut span = Span::default();
        let mut places = Vec::new();
        let mut agree = Vec::new();
        for (part, &class) in pair.iter().enumerate() {
            for (bit, &vector) in classes[class].basis.iter().enumerate() {
                match span.add(vector) {
                    Ok(()) => places.push((vector, part, bit as u32)),
                    Err(how) => agree.push((how, bit)),
                }
            }
        }
        if classes[probe].basis.len() + agree.len() > u64::BITS as usize {
            return None;
        }
        let units = (0..dims).map(|bit| 1_u128 << bit);
        let spare = units.filter(|&unit| span.add(unit).is_ok()).collect::<Vec<u128>>();
        places.extend(spare.iter().enumerate().map(|(bit, &unit)| (unit, 2, bit as u32)));
        // Extracts the bits of one part from a sum of vectors of the span.
        let bits = |how: u128, part: usize| {
            let of_part = places.iter().enumerate().filter(|(at, place)| how >> at & 1 == 1 && place.1 == part);
            of_part.fold(0_u128, |bits, (_, place)| bits | 1 << place.2)
        };
        let joint = |class: usize, agree: &[(u128, usize)]| {
            let sums: Vec<u128> = classes[class].basis.iter().map(|&vector| span.express(vector).1).collect();
            let map = |part: usize| {
                let agreed = agree.iter().map(|&(how, bit)| bits(how, part) | if part == 1 { 1 << bit } else { 0 });
                map_of(&sums.iter().map(|&how| bits(how, part)).chain(agreed).collect::<Vec<u128>>())
            };
            let spare = map_of(&sums.iter().map(|&how| bits(how, 2)).collect::<Vec<u128>>());
            Joint { first: map(0), second: map(1), spare }
        };
        let (to_probe, to_last) = (joint(probe, &agree), joint(last, &[]));
        Some(ClassPair { pair, probe, last, spare: spare.len() as u32, overlap: agree.len() as u32, to_probe, to_last, places })
    }

    /// Equations that determine a member's `z`: linearly independent vectors, each paired with its dot product with `z`.
    pub fn equations(&self, first: u64, second: u64, spare: u64) -> Vec<(u128, bool)> {
        let parts = [first, second, spare];
        self.places.iter().map(|&(vector, part, bit)| (vector, parts[part] >> bit & 1 == 1)).collect()
    }
}

/// The classes, and the two ways to assemble members.
pub struct ClassFrame {
    pub classes: [Class; 4],
    pub sides: [ClassPair; 2],
}

impl ClassFrame {
    /// `columns[at]` has a bit for each of `dims` words, and `class[at]` is below 4. `None` if the rank of a class exceeds `rank`.
    pub fn new(columns: &[u128], class: &[usize], dims: usize, rank: u32) -> Option<ClassFrame> {
        let classes: [Class; 4] = std::array::from_fn(|this| {
            let members = || (0..columns.len()).filter(|&at| class[at] == this);
            let mut span = Span::default();
            let basis = members().map(|at| columns[at]).filter(|&column| span.add(column).is_ok()).collect();
            Class { basis, columns: members().map(|at| (at, span.express(columns[at]).1 as u64)).collect() }
        });
        if classes.iter().any(|class| class.rank() > rank) {
            return None;
        }
        let lighter_first = |[a, b]: [usize; 2]| if classes[a].rank() <= classes[b].rank() { [a, b] } else { [b, a] };
        let pairings = [[[0, 3], [1, 2]], [[0, 1], [2, 3]], [[0, 2], [1, 3]]];
        let sides = pairings.into_iter().filter_map(|[one, two]| {
            Some([ClassPair::new(&classes, dims, one, lighter_first(two))?, ClassPair::new(&classes, dims, two, lighter_first(one))?])
        });
        let sides = sides.min_by_key(|sides| sides.iter().map(|side| side.spare).sum::<u32>())?;
        Some(ClassFrame { classes, sides })
    }
}
