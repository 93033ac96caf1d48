//! Processes many items on several threads, with the results in the order of the items.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

use kibitzer::limits::Limits;

/// The number of results that may wait for a slow reader.
const WAITING: usize = 1024;

/// The number of processors.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Locks a mutex, even after a panic in another thread.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` for each item on several threads and, on this thread, `take` for each result, in the order of the items. Returns false
/// if a limit ended the work before all items were processed.
pub fn in_order<T, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    limits: &Limits,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R),
) -> bool {
    let (items, ended) = (Mutex::new(items.enumerate()), AtomicBool::new(false));
    let (sender, results) = mpsc::sync_channel::<(usize, R)>(WAITING);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, items, ended, work) = (sender.clone(), &items, &ended, &work);
            scope.spawn(move || {
                while limits.check().is_ok() {
                    let next = lock(items).next();
                    let Some((number, item)) = next else { return ended.store(true, Ordering::Relaxed) };
                    if sender.send((number, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                take(result);
            }
        }
    });
    ended.into_inner()
}
