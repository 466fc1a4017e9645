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

/// Provides the bytes of a table that an earlier module has built. It keeps the bytes: they are not
/// given back.
///
/// # Safety
/// The key is memory that can be read. The bytes come from [`alloc`] with this length, and are not
/// used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keep(key: *const u8, key_length: usize, bytes: *mut u8, length: usize) {
    // SAFETY: by the contract, the key can be read, and the bytes are a leaked slice.
    let (key, bytes) = unsafe {
        let bytes = Box::from_raw(ptr::slice_from_raw_parts_mut(bytes, length));
        (slice::from_raw_parts(key, key_length), bytes)
    };
    ENGINE.with_borrow(|engine| engine.keep(&String::from_utf8_lossy(key), bytes.into()));
}

/// The bytes of a table that was built, in two parts: 0 is the header, 1 the entries. A part has
/// [`answer_length`] bytes, which can be read until the next call and are not given back. Null if
/// there is no such table.
///
/// # Safety
/// The key is memory of its length that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn table(key: *const u8, key_length: usize, part: u32) -> *const u8 {
    // SAFETY: by the contract, the key can be read.
    let key = String::from_utf8_lossy(unsafe { slice::from_raw_parts(key, key_length) });
    let parts = ENGINE.with_borrow(|engine| engine.kept().parts(&key));
    // The engine keeps both parts alive.
    let part =
        parts.as_ref().map(|(header, table)| if part == 0 { &header[..] } else { table.packed() });
    LENGTH.set(part.map_or(0, <[u8]>::len));
    part.map_or(ptr::null(), <[u8]>::as_ptr)
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
