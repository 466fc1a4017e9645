//! Adapts a search of constructions to a search of teams.

use super::Building;
use unriddle_core::{Observer, Outcome, Progress, Quota, Search, Solution, Stats};
use unriddle_search::Inner;

/// Runs a search of a [`Building`] and reports the teams that it finds: by their prices, of which a
/// lower one is better, and with their items in node order. Sequences that are no teams are
/// dropped.
///
/// The constructed team that bounds the candidates is reported first; after it, only cheaper ones
/// are. Nothing is proved, whatever the search proves of the candidates.
pub struct Priced<'a> {
    team: TeamOf<'a>,
    search: Inner<'a, u16>,
    best: Option<Solution<u32>>,
    /// Whether the constructed team has been reported.
    begun: bool,
}

/// The team that a sequence of candidates builds.
type TeamOf<'a> = Box<dyn Fn(&[u16]) -> Option<Solution<u32>> + 'a>;

impl<'a> Priced<'a> {
    /// Teams of a search that has not begun.
    #[must_use]
    pub fn new<const N: usize>(building: &'a Building<N>, search: Inner<'a, u16>) -> Self {
        let team = Box::new(|actions: &[u16]| building.team(actions));
        Self { team, search, best: building.constructed.clone(), begun: false }
    }
}

/// Receives the reports of the inner search.
struct Reader<'a, 'o> {
    team: &'o TeamOf<'a>,
    best: &'o mut Option<Solution<u32>>,
    observer: &'o mut dyn Observer<u32>,
}

impl Observer<u16> for Reader<'_, '_> {
    fn improved(&mut self, best: &Solution<u16>, stats: &Stats) {
        let team = (self.team)(&best.actions);
        let is_better =
            |team: &Solution<u32>| self.best.as_ref().is_none_or(|best| team.value < best.value);
        if let Some(team) = team.filter(is_better) {
            self.observer.improved(self.best.insert(team), stats);
        }
    }

    fn progress(&mut self, stats: &Stats) {
        self.observer.progress(stats);
    }
}

impl Search for Priced<'_> {
    type Action = u32;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<u32>) -> Progress<u32> {
        if !self.begun {
            self.begun = true;
            if let Some(best) = &self.best {
                observer.improved(best, &self.search.stats());
            }
        }
        let mut reader = Reader { team: &self.team, best: &mut self.best, observer };
        match self.search.advance(quota, &mut reader) {
            Progress::Running => Progress::Running,
            Progress::OutOfMemory => Progress::OutOfMemory,
            Progress::Failed(fault) => Progress::Failed(fault),
            Progress::Finished(_) => {
                Progress::Finished(Outcome::Exhausted { best: self.best.clone() })
            }
        }
    }

    fn stats(&self) -> Stats {
        self.search.stats()
    }

    fn best(&self) -> Option<&Solution<u32>> {
        self.best.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::{building::Outlook, samples};
    use crate::{Amount, Party, Team};
    use unriddle_search::{
        layers::{Layers, LayersConfig},
        nrpa::{Nrpa, NrpaConfig},
    };

    type Small = Building<16>;

    fn beam<'a>(
        building: &'a Small,
        outlook: &'a Outlook,
        width: usize,
    ) -> Box<dyn Search<Action = u32> + 'a> {
        let config = LayersConfig { width, ..LayersConfig::default() };
        let beam = Layers::new(building, outlook, config).unwrap();
        Box::new(Priced::new(building, Box::new(beam)))
    }

    fn nrpa<'a>(
        building: &'a Small,
        outlook: &'a Outlook,
        iterations: u32,
    ) -> Box<dyn Search<Action = u32> + 'a> {
        let config = NrpaConfig {
            level: 2,
            iterations,
            bias: 2.0,
            runs: 1,
            seed: 3,
            ..NrpaConfig::default()
        };
        let nrpa = Nrpa::selective(building, outlook, config).unwrap();
        Box::new(Priced::new(building, Box::new(nrpa)))
    }

    fn ended(search: &mut dyn Search<Action = u32>, expansions: u64) -> Outcome<u32> {
        loop {
            if let Progress::Finished(outcome) = search.step(expansions, &mut ()) {
                return outcome;
            }
        }
    }

    /// Checks that the best team of a search is a team of the reported price, and returns that
    /// price.
    fn checked(party: &Party, outcome: &Outcome<u32>) -> Option<i64> {
        assert!(matches!(outcome, Outcome::Exhausted { .. }));
        let best = outcome.best()?;
        let team = Team::new(party, &best.actions);
        assert!(team.is_feasible() && team.cost() == best.value);
        for (i, item) in best.actions.iter().enumerate() {
            assert!(party.allowed[*item as usize] && !best.actions[..i].contains(item));
        }
        for &(item, node) in &party.fixed {
            assert!(node.is_none_or(|node| best.actions[node] == item));
            assert!(best.actions.contains(&item));
        }
        Some(best.value)
    }

    /// A beam that prunes nothing finds the cheapest team of small puzzles, also with fixed items.
    /// Policies mostly find it. Neither finds a team of an unsolvable puzzle.
    #[test]
    fn small_puzzles_are_solved() {
        let (mut all, mut none, mut learned) = (0, 0, 0);
        for seed in 0..80 {
            let mut party = samples::random(seed);
            if seed % 4 == 0 && party.fixed.is_empty() {
                party.fixed.push((9, None));
            }
            let building = Small::new(&party, seed).unwrap();
            let outlook = Outlook::new(&party);
            let found = [
                ended(&mut *beam(&building, &outlook, 100_000), u64::MAX),
                ended(&mut *nrpa(&building, &outlook, 30), u64::MAX),
            ];
            let found = found.map(|outcome| checked(&party, &outcome));
            let Some(cheapest) = samples::cheapest(&party) else {
                assert_eq!(found, [None; 2], "seed {seed}");
                none += 1;
                continue;
            };
            // Ratings restrict the search to teams whose mean already reaches the bound.
            let is_rated = |r: &crate::Requirement| matches!(r.amount, Amount::Rating(_));
            if party.requirements.iter().any(is_rated) {
                assert!(found[0].is_none_or(|price| price >= cheapest));
                continue;
            }
            assert_eq!(found[0], Some(cheapest), "seed {seed}");
            all += 1;
            learned += u32::from(found[1] == Some(cheapest));
        }
        assert!(all > 15 && none > 15, "{all} with teams, {none} without");
        assert!(learned * 4 >= all * 3, "{learned} of {all}");
    }

    /// The paper's puzzles: both searches find teams that are far cheaper than the constructed one.
    /// Single steps give the result of one run.
    #[test]
    fn teams_become_cheap() {
        for party in samples::paper(3) {
            let building = Small::new(&party, 1).unwrap();
            assert_eq!(building.candidates.len(), crate::solvers::building::CANDIDATES);
            let outlook = Outlook::new(&party);
            let made = || [beam(&building, &outlook, 50), nrpa(&building, &outlook, 20)];
            for (mut whole, mut single) in made().into_iter().zip(made()) {
                let outcome = ended(&mut *whole, u64::MAX);
                assert_eq!(outcome, ended(&mut *single, 1));
                assert_eq!(whole.stats(), single.stats());
                let price = checked(&party, &outcome).unwrap();
                let constructed = building.constructed.as_ref().unwrap().value;
                assert!(10 * price < 7 * constructed, "{price}, {constructed}");
            }
        }
    }
}
