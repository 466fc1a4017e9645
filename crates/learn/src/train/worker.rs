//! The one thread that updates a network. A network on a GPU stays with the thread that made it:
//! the framework keeps a pool of memory for each thread that computes, and never gives it back.

use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread::Scope,
};
use unriddle_catalog::work::WorkError;
use unriddle_neural::train::{Learner, Threads};

type Job<'s> = Box<dyn FnOnce(&mut Learner) + Send + 's>;

/// A thread with a network in training.
pub(super) struct Worker<'s>(Sender<Job<'s>>);

/// The future result of a job. The mutex makes it shareable; no thread waits for the mutex.
pub(super) struct Pending<T>(Mutex<Receiver<T>>);

impl<T> Pending<T> {
    /// Waits for it.
    ///
    /// # Errors
    /// The thread has ended.
    pub(super) fn wait(self) -> Result<T, WorkError> {
        let gone = |_| WorkError::Internal("the thread that trains has ended".to_owned());
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).recv().map_err(gone)
    }
}

impl<'s> Worker<'s> {
    /// Starts the thread, which makes the network, and computes on the CPU with the help of others
    /// up to this number of threads.
    ///
    /// # Errors
    /// The network cannot be made.
    pub(super) fn new<'e>(
        scope: &'s Scope<'s, 'e>,
        threads: usize,
        make: impl FnOnce() -> Result<Learner, String> + Send + 's,
    ) -> Result<Self, WorkError> {
        let (sender, jobs) = channel::<Job<'s>>();
        let (made, is_made) = channel();
        let made_with = move || Threads::new(threads).and_then(|threads| Ok((threads, make()?)));
        scope.spawn(move || match made_with() {
            Ok((_threads, mut learner)) => {
                let _ = made.send(Ok(()));
                for job in jobs {
                    job(&mut learner);
                }
            }
            Err(why) => {
                let _ = made.send(Err(why));
            }
        });
        Pending(Mutex::new(is_made)).wait()?.map_err(WorkError::Device)?;
        Ok(Self(sender))
    }

    /// Has something done with the network, after all that was asked before.
    pub(super) fn ask<T: Send + 's>(
        &self,
        job: impl FnOnce(&mut Learner) -> T + Send + 's,
    ) -> Pending<T> {
        let (sender, receiver) = channel();
        // A thread that has ended is noticed where its answer is awaited.
        let _ = self.0.send(Box::new(move |learner| {
            let _ = sender.send(job(learner));
        }));
        Pending(Mutex::new(receiver))
    }
}
