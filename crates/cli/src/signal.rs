//! Ctrl-C and termination signals.

use crate::{
    exit::{CANCELLED, note},
    ranks,
};
use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};
use unriddle_catalog::Cancel;

/// Time in which signals are taken as one.
const SAME: Duration = Duration::from_millis(100);

/// Flag that Ctrl-C (or a termination signal) raises, so that results so far are still reported. A
/// second signal ends the process at once.
pub(crate) fn cancel() -> Cancel {
    static FLAG: OnceLock<Cancel> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Cancel::default();
        let raised = flag.clone();
        let mut first: Option<Instant> = None;
        // Without a handler Ctrl-C simply ends the process.
        let _ = ctrlc::set_handler(move || match first {
            None => {
                first = Some(Instant::now());
                raised.cancel();
                if ranks::are_several() {
                    // A rank that waits for a lost rank writes nothing more.
                    let name = crate::identity().name;
                    note(&format!("{name}: ended by a signal; perhaps a rank was lost"));
                }
            }
            // A terminal and its shell may both pass the same signal on.
            Some(first) if first.elapsed() < SAME => {}
            Some(_) => {
                note(&format!("{}: ended at once by a second signal", crate::identity().name));
                std::process::exit(i32::from(CANCELLED));
            }
        });
        flag
    });
    flag.clone()
}
