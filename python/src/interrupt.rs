//! Ctrl-C while the interpreter is released: a signal handler that cancels the work and passes the signal on to Python's handler.

#[cfg(not(unix))]
pub use other::Hook;
#[cfg(unix)]
pub use unix::Hook;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Is this the main thread, on which alone Python runs signal handlers?
pub fn on_main_thread(py: Python<'_>) -> bool {
    static THREADING: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let compare = || -> PyResult<bool> {
        let threading = THREADING.get_or_try_init(py, || py.import("threading").map(Bound::unbind))?.bind(py);
        let main = threading.call_method0(intern!(py, "main_thread"))?.getattr(intern!(py, "ident"))?;
        main.eq(threading.call_method0(intern!(py, "get_ident"))?)
    };
    compare().unwrap_or(false)
}

/// Does Python raise `KeyboardInterrupt` at Ctrl-C? If a program has its own handler, that handler decides whether the work ends. It
/// is called whenever the work reports its progress.
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
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};

    use kibitzer::limits::{Cancel, Limit};
    use libc::{SA_SIGINFO, SIG_DFL, SIG_ERR, SIG_IGN, SIGINT, c_int, c_void, sigaction, siginfo_t};

    /// The flag of the work on the main thread.
    static CURRENT: AtomicPtr<Cancel> = AtomicPtr::new(null_mut());
    /// The handler before this one, and its flags.
    static BEFORE: AtomicUsize = AtomicUsize::new(0);
    static BEFORE_FLAGS: AtomicI32 = AtomicI32::new(0);

    extern "C" fn handler(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        let current = CURRENT.load(Ordering::Relaxed);
        if !current.is_null() {
            // SAFETY: it points to a flag that lives as long as its hook, which clears the pointer on the same thread. Setting
            // the flag is one atomic operation.
            unsafe { (*current).stop(Limit::Time) };
        }
        let before = BEFORE.load(Ordering::Relaxed);
        if BEFORE_FLAGS.load(Ordering::Relaxed) & SA_SIGINFO != 0 {
            // SAFETY: this is the function that was there before, with the form that its flags say.
            let before: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = unsafe { std::mem::transmute(before) };
            before(signal, info, context);
        } else {
            // SAFETY: the same.
            let before: extern "C" fn(c_int) = unsafe { std::mem::transmute(before) };
            before(signal);
        }
    }

    fn address() -> usize {
        handler as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize
    }

    /// The current action for Ctrl-C.
    fn now() -> Option<sigaction> {
        let mut action = MaybeUninit::<sigaction>::uninit();
        // SAFETY: with no new action it only fills in the present one, and says whether it did.
        let known = unsafe { libc::sigaction(SIGINT, std::ptr::null(), action.as_mut_ptr()) == 0 };
        // SAFETY: it was filled in.
        known.then(|| unsafe { action.assume_init() })
    }

    fn set(action: &sigaction) {
        // SAFETY: the action is either `handler` with the mask that was there, or what was there.
        unsafe { libc::sigaction(SIGINT, action, null_mut()) };
    }

    /// While it lives, Ctrl-C also sets a cancel flag. Only for the main thread.
    pub struct Hook<'a> {
        before: Option<sigaction>,
        outer: *mut Cancel,
        flag: std::marker::PhantomData<&'a Cancel>,
    }

    impl<'a> Hook<'a> {
        pub fn new(cancel: &'a Cancel) -> Hook<'a> {
            let outer = CURRENT.swap(std::ptr::from_ref(cancel).cast_mut(), Ordering::Relaxed);
            // Not if Ctrl-C is ignored or ends the process, and not inside work that already has the hook.
            let before = now().filter(|action| ![SIG_DFL, SIG_IGN, SIG_ERR, address()].contains(&action.sa_sigaction));
            if let Some(action) = before {
                BEFORE.store(action.sa_sigaction, Ordering::Relaxed);
                BEFORE_FLAGS.store(action.sa_flags, Ordering::Relaxed);
                set(&sigaction { sa_sigaction: address(), sa_flags: action.sa_flags | SA_SIGINFO, ..action });
            }
            Hook { before, outer, flag: std::marker::PhantomData }
        }
    }

    impl Drop for Hook<'_> {
        fn drop(&mut self) {
            // A handler that was installed meanwhile is kept.
            if let Some(before) = &self.before
                && now().is_some_and(|action| action.sa_sigaction == address())
            {
                set(before);
            }
            CURRENT.store(self.outer, Ordering::Relaxed);
        }
    }
}

/// On other systems Ctrl-C is noticed when the work reports its progress.
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
