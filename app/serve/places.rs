//! Limits on concurrent connections and questions, each of which holds a slot while it lasts. The number of slots is limited, and each
//! address can take only some of them, so that no client can take them all. On loopback, all clients share one address, so only the total
//! is limited.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::parallel::lock;

pub struct Places {
    all: Arc<Semaphore>,
    most_each: usize,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

pub struct Place {
    _permit: OwnedSemaphorePermit,
    address: IpAddr,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Places {
    pub fn new(most: usize, most_each: usize) -> Places {
        Places { all: Arc::new(Semaphore::new(most)), most_each, taken: Arc::default() }
    }

    /// Takes a slot without waiting.
    pub fn take(&self, address: IpAddr) -> Option<Place> {
        let permit = Arc::clone(&self.all).try_acquire_owned().ok()?;
        self.enter(permit, address)
    }

    /// Waits for a slot. `None` if the address already has its maximum.
    pub async fn wait(&self, address: IpAddr) -> Option<Place> {
        let permit = Arc::clone(&self.all).acquire_owned().await.ok()?;
        self.enter(permit, address)
    }

    fn enter(&self, permit: OwnedSemaphorePermit, address: IpAddr) -> Option<Place> {
        let mut taken = lock(&self.taken);
        let count = taken.entry(address).or_default();
        if *count >= self.most_each && !address.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Place { _permit: permit, address, taken: Arc::clone(&self.taken) })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_takes_all_slots() {
        let places = Places::new(3, 2);
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let held: Vec<Place> = (0..2).filter_map(|_| places.take(one)).collect();
        assert_eq!(held.len(), 2);
        assert!(places.take(one).is_none());
        let last = places.take(other).expect("one slot is left for others");
        assert!(places.take(IpAddr::from([10, 0, 0, 3])).is_none());
        drop(held);
        assert!(places.take(one).is_some());
        drop(last);
        let local = IpAddr::from([127, 0, 0, 1]);
        assert_eq!((0..9).filter_map(|_| places.take(local)).collect::<Vec<_>>().len(), 3);
        assert!(places.taken.lock().expect("not poisoned").is_empty());
    }
}
