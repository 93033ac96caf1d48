//! Cancel flags.

use kibitzer::limits::{Limit, Limits};

#[test]
fn clones_share_the_flag_and_the_first_reason_stays() {
    let limits = Limits::nodes(5);
    let other = limits.with_nodes(7);
    assert_eq!((limits.check(), other.nodes), (Ok(()), 7));
    std::thread::spawn({
        let cancel = other.cancel.clone();
        move || cancel.stop(Limit::Memory)
    })
    .join()
    .expect("the thread ends");
    limits.cancel.stop(Limit::Time);
    assert_eq!((limits.check(), other.check()), (Err(Limit::Memory), Err(Limit::Memory)));
}
