//! Exports and imports of the module.
//!
//! A host writes the UTF-8 bytes of a request into memory from [`alloc`], passes them to [`call`],
//! reads the answer of [`answer_length`] bytes, and gives both back to [`free`].
#![allow(unsafe_code, reason = "memory that the host writes and reads")]

use crate::engine::Engine;
use std::{cell::RefCell, ptr, slice, time::Duration};
use unriddle::core::clock;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The time in milliseconds since any fixed moment.
    safe fn now() -> f64;
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new({
        clock::install(|| Duration::from_secs_f64((now() / 1e3).max(0.0)));
        Engine::new(unriddle::registry())
    });
    static LENGTH: RefCell<usize> = const { RefCell::new(0) };
}

/// Memory of `length` bytes, which the host fills.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Takes memory of `length` bytes back.
///
/// # Safety
/// The memory comes from [`alloc`] or [`call`], with this length, and is taken back once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(memory: *mut u8, length: usize) {
    // SAFETY: by the contract, this is a leaked slice of this length.
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(memory, length)) });
}

/// Provides a network that solvers of this name read.
///
/// # Safety
/// Both are memory of their lengths that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn provide(
    name: *const u8,
    name_length: usize,
    bytes: *const u8,
    length: usize,
) {
    // SAFETY: by the contract, the bytes can be read.
    let (name, bytes) =
        unsafe { (slice::from_raw_parts(name, name_length), slice::from_raw_parts(bytes, length)) };
    unriddle::catalog::provide(&String::from_utf8_lossy(name), bytes.to_vec());
}

/// Answers a request. The answer has [`answer_length`] bytes.
///
/// # Safety
/// The request is memory of `length` bytes that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(request: *const u8, length: usize) -> *mut u8 {
    // SAFETY: by the contract, the bytes can be read.
    let bytes = unsafe { slice::from_raw_parts(request, length) };
    let request = String::from_utf8_lossy(bytes);
    let answer = ENGINE.with_borrow_mut(|engine| engine.call(&request));
    LENGTH.set(answer.len());
    Box::leak(answer.into_bytes().into_boxed_slice()).as_mut_ptr()
}

/// Length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    LENGTH.with_borrow(|length| *length)
}
