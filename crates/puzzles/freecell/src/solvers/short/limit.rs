//! The cut of a layer: which candidates are among the best, while they come one by one.

use unriddle_search::memory::vec_bytes;

/// Counts of the scores of the candidates of a layer, and the largest score of interest.
#[derive(Debug)]
pub(super) struct Limit {
    width: usize,
    /// Number of candidates of each score.
    counts: Vec<u32>,
    /// The largest score of interest, and how many candidates have it or a smaller one.
    limit: usize,
    within: usize,
}

impl Limit {
    /// A cut of candidates with scores below `scores`.
    pub(super) fn new(scores: usize) -> Self {
        Self { width: 0, counts: vec![0; scores], limit: scores - 1, within: 0 }
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.counts)
    }

    /// Begins a layer of at most `width` states.
    pub(super) fn begin(&mut self, width: usize) {
        self.width = width;
        self.counts.fill(0);
        self.limit = self.counts.len() - 1;
        self.within = 0;
    }

    /// Whether the width is filled with states that are no worse; a child that comes too late is
    /// lost.
    #[inline(always)]
    pub(super) fn is_late(&self, score: usize) -> bool {
        score >= (self.limit + usize::from(self.within < self.width)).max(1)
    }

    /// Counts a candidate, and lowers the limit where enough others are better.
    #[inline(always)]
    pub(super) fn admit(&mut self, score: usize) {
        self.counts[score] += 1;
        self.within += 1;
        while self.limit > 0 && self.within - self.counts[self.limit] as usize >= self.width {
            self.within -= self.counts[self.limit] as usize;
            self.limit -= 1;
        }
    }

    /// Fills `order` with the numbers of the best candidates: a counting sort by score, then by
    /// generation. The next call must be [`begin`](Self::begin).
    pub(super) fn sort(&mut self, scores: &[u16], order: &mut [u32]) {
        let mut sum = 0;
        for count in &mut self.counts {
            (*count, sum) = (sum, sum + *count);
        }
        for (id, &score) in scores.iter().enumerate() {
            let place = &mut self.counts[usize::from(score)];
            if let Some(slot) = order.get_mut(*place as usize) {
                *slot = id as u32;
            }
            *place += 1;
        }
    }
}
