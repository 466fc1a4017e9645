//! Clocks of a module whose host has the time.

use std::{ops::AddAssign, sync::OnceLock, time::Duration};

/// Function of the host: the time since any fixed moment.
static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

/// Installs the clock of the host. Only the first call has an effect; before it, every moment
/// is the same.
pub fn install(now: fn() -> Duration) {
    let _ = NOW.set(now);
}

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// The present moment.
    #[must_use]
    pub fn now() -> Self {
        Self(NOW.get().map_or(Duration::ZERO, |now| now()))
    }

    /// Time since this moment.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().duration_since(*self)
    }

    /// Time from an earlier moment to this one; zero from a later one.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment after a time; `None` beyond the range of moments.
    #[must_use]
    pub fn checked_add(&self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, time: Duration) {
        self.0 += time;
    }
}

/// CPU time of the only thread, and so of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadTime(Instant);

impl ThreadTime {
    /// The CPU time now.
    #[must_use]
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// CPU time since then.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    static SECONDS: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn the_clock_of_the_host_is_used() {
        assert_eq!(Instant::now().elapsed(), Duration::ZERO);
        install(|| Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed)));
        install(|| Duration::ZERO);
        let (mut begun, cpu) = (Instant::now(), ThreadTime::now());
        assert_eq!(begun.elapsed(), Duration::from_secs(2));
        assert_eq!(cpu.elapsed(), Duration::from_secs(2));
        begun += Duration::from_secs(3);
        assert_eq!(begun.elapsed(), Duration::from_secs(1));
        let later = begun.checked_add(Duration::from_secs(5)).unwrap();
        assert_eq!(later.duration_since(begun), Duration::from_secs(5));
        assert_eq!(begun.duration_since(later), Duration::ZERO);
        assert_eq!(begun.checked_add(Duration::MAX), None);
    }
}
