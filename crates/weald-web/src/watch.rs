//! The message of a panic; and, with the engine, progress for the page and cancellation by it.

#[cfg(feature = "engine")]
pub(crate) use progress::watched;
use std::cell::RefCell;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic.
pub(crate) fn keep_panic(message: String) {
    PANIC.set(Some(message));
}

/// The message of the last panic.
pub(crate) fn panic_message() -> Option<String> {
    PANIC.with_borrow(Clone::clone)
}

#[cfg(feature = "engine")]
mod progress {
    use js_sys::Function;
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicBool, Ordering};
    use wasm_bindgen::JsValue;
    use weald::core::Ctx;
    use weald::core::ctx::Watch;

    thread_local! {
        static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
    }

    static STOP: AtomicBool = AtomicBool::new(false);

    /// Calls the listener with the stage and with what is done of it. It answers whether to stop.
    struct Listened;

    fn tell(stage: &str, done: usize, total: usize) {
        LISTENER.with_borrow(|listener| {
            let Some(listener) = listener else { return };
            let answer =
                listener.call3(&JsValue::NULL, &stage.into(), &(done as f64).into(), &(total as f64).into());
            if answer.is_ok_and(|stop| stop.is_truthy()) {
                STOP.store(true, Ordering::Relaxed);
            }
        });
    }

    impl Watch for Listened {
        fn begin(&self, stage: &'static str) {
            tell(stage, 0, 0);
        }

        fn tick(&self, stage: &'static str, done: usize, total: usize) {
            tell(stage, done, total);
        }
    }

    /// Runs `work` while `listener`, if it is given, hears of its progress and can stop it.
    pub(crate) fn watched<T>(listener: Option<Function>, work: impl FnOnce(&Ctx) -> T) -> T {
        STOP.store(false, Ordering::Relaxed);
        LISTENER.set(listener);
        let out = work(&Ctx::new(&Listened, &STOP));
        LISTENER.set(None);
        out
    }
}
