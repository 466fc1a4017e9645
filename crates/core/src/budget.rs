//! Limits of a run. Every algorithm accepts them, and no limit is ever reported as "unsolvable".

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

/// Limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Wall time.
    Time,
    /// Memory of the search's own structures.
    Memory,
    /// Expanded states.
    Expansions,
    /// Generated states.
    Generated,
    /// The [`Cancel`] flag was raised.
    Cancelled,
}

impl Limit {
    /// The word for records: `time`, `memory`, `expansions`, `generated`, `cancelled`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Expansions => "expansions",
            Self::Generated => "generated",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A flag that ends a run at its next check; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Raises the flag.
    pub fn cancel(&self) {
        if !self.0.swap(true, Ordering::Relaxed) {
            RAISED.fetch_add(1, Ordering::Release);
        }
    }
    /// Whether it was raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Number of flags that were raised in this process.
static RAISED: AtomicU64 = AtomicU64::new(0);

/// Watch for raised [`Cancel`] flags, whichever they are: a small value that a [`Quota`] can hold.
///
/// ```
/// use unriddle_core::{Cancel, Watch};
///
/// let (flag, watch) = (Cancel::default(), Watch::begin());
/// flag.cancel();
/// assert!(watch.has_seen_one());
/// ```
///
/// [`Quota`]: crate::Quota
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch(u64);

impl Watch {
    /// Begins to watch. A flag that was raised before is seen by
    /// [`is_cancelled`](Cancel::is_cancelled) afterwards.
    #[must_use]
    pub fn begin() -> Self {
        Self(RAISED.load(Ordering::Acquire))
    }

    /// Whether a flag of this process was raised since the beginning.
    #[must_use]
    pub fn has_seen_one(self) -> bool {
        self != Self::begin()
    }
}

/// The limits of one run; the default has none.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall time from the start of the run.
    pub time: Option<Duration>,
    /// Maximum number of expanded states.
    pub expansions: Option<u64>,
    /// Maximum number of generated states; a run exceeds it by at most one expansion's successors.
    pub generated: Option<u64>,
    /// Maximum number of bytes of the search's own structures (shared tables and networks are not
    /// counted).
    pub memory: Option<u64>,
    /// Flag that another thread raises to end the run.
    pub cancel: Cancel,
}
