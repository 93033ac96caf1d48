//! `peak_bytes` is honest: it is compared with what the allocator handed out during the search.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use kibitzer::catalog::Choice;
use kibitzer::games;
use kibitzer::limits::Limits;
use kibitzer::notation::Options;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator unchanged; only counters are added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }

    // The system grows large blocks in place.
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let now = NOW.fetch_add(size, Relaxed) + size - layout.size();
        NOW.fetch_sub(layout.size(), Relaxed);
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test only in this file: others would allocate at the same time.
#[test]
fn peak_bytes_is_what_was_allocated() {
    let entry = games::find("chexers").expect("listed");
    let read = |board: &str| entry.parse(board, &Options::default()).expect("sound");
    let board = r#"{"colour":"red","pieces":[[-3,0],[-3,1],[-3,2],[-3,3],[-2,0],[-2,2]],"blocks":[[0,0],[1,1],[-1,-1]]}"#;
    let open = read(board);
    // Without an exit depth-first search has no long plan to write down, which would count here but not there.
    let closed = read(&board.replace("\"blocks\":[", "\"blocks\":[[3,-3],[3,-2],[3,-1],[3,0],"));
    for (puzzle, method) in [(&open, "bfs"), (&open, "ucs"), (&closed, "dfs"), (&open, "astar:null"), (&open, "bidirectional")] {
        let before = NOW.load(Relaxed);
        PEAK.store(before, Relaxed);
        let report = puzzle.solve(&Choice::method(method), &Limits::nodes(150_000)).expect("no fault");
        let (claimed, real) = (report.stats.peak_bytes as f64, (PEAK.load(Relaxed) - before) as f64);
        assert!(real > 2e6, "{method}: {real} bytes are too few to compare");
        assert!((0.85..1.1).contains(&(claimed / real)), "{method} claims {claimed} bytes and took {real}");
    }

    // A memory limit is kept, too.
    for limit in [100_000, 1_000_000, 5_000_000] {
        let before = NOW.load(Relaxed);
        PEAK.store(before, Relaxed);
        let report = open.solve(&Choice::method("ucs"), &Limits { bytes: limit, ..Limits::none() }).expect("no fault");
        assert_eq!(report.verdict(), "unknown");
        let real = PEAK.load(Relaxed) - before;
        assert!(real < limit + 200_000, "limit {limit}, took {real}");
    }
}
