//! Ctrl-C and termination signals.

use crate::exit::{CANCELLED, note};
use std::sync::OnceLock;
use unriddle_catalog::Cancel;

/// Flag that Ctrl-C (or a termination signal) raises, so that results so far are still reported. A
/// second signal ends the process at once.
pub(crate) fn cancel() -> Cancel {
    static FLAG: OnceLock<Cancel> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Cancel::default();
        let raised = flag.clone();
        // Without a handler Ctrl-C simply ends the process.
        let _ = ctrlc::set_handler(move || {
            if raised.is_cancelled() {
                note("unriddle: ended at once by a second signal");
                std::process::exit(i32::from(CANCELLED));
            }
            raised.cancel();
        });
        flag
    });
    flag.clone()
}
