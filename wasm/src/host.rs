//! The functions that the host provides. The host receives events, answers and panic messages, and provides a clock. Outside a browser
//! there is no host, but the crate still builds, so that linters can check it.

/// The kind of an emitted message. `web/page/engine/worker.js` uses the same numbers.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Kind {
    Progress = 0,
    Lines = 1,
    Answer = 2,
    Refusal = 3,
    Panic = 4,
}

#[cfg(target_arch = "wasm32")]
mod imports {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        pub fn emit(kind: u32, at: *const u8, length: usize);
        pub fn now() -> f64;
    }
}

/// Sends text to the host.
#[cfg(target_arch = "wasm32")]
pub fn emit(kind: Kind, text: &str) {
    // SAFETY: the host copies the bytes before it returns.
    unsafe { imports::emit(kind as u32, text.as_ptr(), text.len()) }
}

/// Milliseconds since some fixed point in time.
#[cfg(target_arch = "wasm32")]
pub fn now() -> f64 {
    // SAFETY: the function takes no arguments and has no side effects.
    unsafe { imports::now() }
}

#[cfg(not(target_arch = "wasm32"))]
pub fn emit(kind: Kind, text: &str) {
    println!("{} {text}", kind as u32);
}

#[cfg(not(target_arch = "wasm32"))]
pub fn now() -> f64 {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64() * 1000.0
}

/// Sends a panic message to the host before the panic ends the worker.
pub fn report_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|panic| emit(Kind::Panic, &panic.to_string()))));
}
