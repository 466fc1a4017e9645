//! Clocks: wall time, and the CPU time of a thread or of the process.
//!
//! All time that the engine measures comes from here. On a system the clocks are the system's. A
//! WebAssembly module without a system has none: its host installs one (`install`), and CPU time
//! is then the same as wall time, since there is one thread.
//!
//! ```
//! use unriddle_core::clock::{Instant, ThreadTime};
//!
//! let (begun, cpu) = (Instant::now(), ThreadTime::now());
//! assert!(begun.elapsed() + cpu.elapsed() < std::time::Duration::from_secs(60));
//! ```

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
pub mod host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, ThreadTime, ThreadTime as ProcessTime, install};

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use {
    cpu_time::{ProcessTime, ThreadTime},
    std::time::Instant,
};
