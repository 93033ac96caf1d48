//! Ctrl-C while the interpreter is released: a signal handler that cancels the work and passes the signal on to Python.

#[cfg(not(unix))]
pub use other::Hook;
#[cfg(unix)]
pub use unix::Hook;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// True on the main thread, the only one on which Python runs signal handlers.
pub fn on_main_thread(py: Python<'_>) -> bool {
    static THREADING: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let compare = || -> PyResult<bool> {
        let threading = THREADING.get_or_try_init(py, || py.import("threading").map(Bound::unbind))?.bind(py);
        let main = threading.call_method0(intern!(py, "main_thread"))?.getattr(intern!(py, "ident"))?;
        main.eq(threading.call_method0(intern!(py, "get_ident"))?)
    };
    compare().unwrap_or(false)
}

/// True if Python raises `KeyboardInterrupt` on Ctrl-C. If a program has its own handler, that handler is called whenever the work reports
/// progress, and decides whether the work ends.
pub fn raises(py: Python<'_>) -> bool {
    static GET: PyOnceLock<(Py<PyAny>, Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();
    let known = GET.get_or_try_init(py, || -> PyResult<_> {
        let signal = py.import("signal")?;
        let get = |name| signal.getattr(name).map(Bound::unbind);
        Ok((get("getsignal")?, get("SIGINT")?, get("default_int_handler")?))
    });
    let Ok((get, signal, default)) = known else { return false };
    get.bind(py).call1((signal,)).is_ok_and(|handler| handler.is(default))
}

#[cfg(unix)]
mod unix {
    use std::marker::PhantomData;
    use std::mem::MaybeUninit;
    use std::ptr::{from_ref, null, null_mut};
    use std::sync::atomic::{AtomicPtr, Ordering};

    use kibitzer::limits::{Cancel, Limit};
    use libc::{SIGINT, c_int, sigaction};

    /// The cancel flag of the work on the main thread.
    static CURRENT: AtomicPtr<Cancel> = AtomicPtr::new(null_mut());

    extern "C" fn handler(_: c_int) {
        // SAFETY: the pointer is null or points to a flag that lives as long as its hook, which clears the pointer on the same
        // thread. Setting the flag is one atomic operation, and Python's function may be called from signal handlers.
        unsafe {
            if let Some(cancel) = CURRENT.load(Ordering::Relaxed).as_ref() {
                cancel.stop(Limit::Time);
            }
            pyo3::ffi::PyErr_SetInterrupt();
        }
    }

    fn address() -> usize {
        handler as extern "C" fn(c_int) as usize
    }

    /// The current action for Ctrl-C.
    fn now() -> Option<sigaction> {
        let mut action = MaybeUninit::<sigaction>::uninit();
        // SAFETY: without a new action, `sigaction` only stores the current one in `action`, and returns 0 on success.
        unsafe { (libc::sigaction(SIGINT, null(), action.as_mut_ptr()) == 0).then(|| action.assume_init()) }
    }

    fn set(action: &sigaction) {
        // SAFETY: the action is the previous one, or `handler` with the previous mask.
        unsafe { libc::sigaction(SIGINT, action, null_mut()) };
    }

    /// While a hook exists, Ctrl-C also sets a cancel flag. Used only on the main thread, and only if Python raises `KeyboardInterrupt`.
    pub struct Hook<'a> {
        before: Option<sigaction>,
        outer: *mut Cancel,
        flag: PhantomData<&'a Cancel>,
    }

    impl<'a> Hook<'a> {
        pub fn new(cancel: &'a Cancel) -> Hook<'a> {
            let outer = CURRENT.swap(from_ref(cancel).cast_mut(), Ordering::Relaxed);
            let before = now();
            if let Some(action) = before {
                set(&sigaction { sa_sigaction: address(), sa_flags: action.sa_flags & !libc::SA_SIGINFO, ..action });
            }
            Hook { before, outer, flag: PhantomData }
        }
    }

    impl Drop for Hook<'_> {
        fn drop(&mut self) {
            // Another handler may have been installed in the meantime; keep it.
            if let Some(before) = &self.before
                && now().is_some_and(|action| action.sa_sigaction == address())
            {
                set(before);
            }
            CURRENT.store(self.outer, Ordering::Relaxed);
        }
    }
}

/// On other systems, Ctrl-C is noticed when the work reports progress.
#[cfg(not(unix))]
mod other {
    use kibitzer::limits::Cancel;

    pub struct Hook<'a>(std::marker::PhantomData<&'a Cancel>);

    impl<'a> Hook<'a> {
        pub fn new(_cancel: &'a Cancel) -> Hook<'a> {
            Hook(std::marker::PhantomData)
        }
    }
}
