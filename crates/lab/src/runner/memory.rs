//! The peak of this process's resident memory, run by run. Linux can set the mark back; elsewhere it
//! stays unknown.

/// Sets the mark back to what is resident now.
pub(super) fn reset() {
    #[cfg(target_os = "linux")]
    {
        // Without permission the mark is that of the whole process, which `peak` then reports.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}

/// The mark in bytes.
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
