//! Peak of this process's resident memory in each run. Linux can reset the peak; on other systems
//! it is unknown.

/// Resets the peak to the current resident memory.
pub(super) fn reset() {
    #[cfg(target_os = "linux")]
    {
        // Without permission, `peak` reports the peak of the whole process.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}

/// Returns the peak in bytes.
pub(super) fn peak() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    }
    #[cfg(not(target_os = "linux"))]
    None
}
