//! Plan of an experiment: the list of runs that it asks for.

use crate::{
    error::LabError,
    experiment::{Engine, Experiment, Solver, Source, Suite},
    key::{Identity, key},
    peer::Peer,
    row::{Key, Row},
};
use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    path::{Path, PathBuf},
};
use unriddle_catalog::{
    Family, Rng, Role, bind,
    input::{self, Named},
    networks_of,
    registry::{self, Registry},
    solver::on_device,
    work::Shard,
};

/// Suite with its instances.
pub struct LoadedSuite {
    /// Its name.
    pub name: String,
    /// Spec of the puzzle, without parameters at their defaults.
    pub puzzle: String,
    /// Unit of the puzzle's values: `moves`.
    pub unit: &'static str,
    /// The instances.
    pub instances: Vec<Named>,
    /// Their texts in standard form.
    pub texts: Vec<String>,
    /// Columns of published values by instance; a column's values are in the order of `instances`.
    pub reference: HashMap<String, Vec<Option<f64>>>,
    /// Proved optima by instance, in the order of `instances`, where the suite names their column.
    pub optimum: Vec<Option<i64>>,
    /// The puzzle's declaration.
    pub family: &'static Family,
}

/// Requested run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Index of the suite.
    pub suite: usize,
    /// Index of the instance in the suite.
    pub instance: usize,
    /// Index of the solver.
    pub solver: usize,
    /// Seed.
    pub seed: u64,
    /// Digest of everything that decides the result.
    pub key: Key,
}

/// All runs of an experiment, instance by instance, beginning with the subsets of the suites.
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// Its suites in the same order.
    pub suites: Vec<LoadedSuite>,
    /// The runs.
    pub tasks: Vec<Task>,
    /// The external programs, by solver.
    pub peers: Vec<Option<Peer>>,
    /// The networks of our own solvers, by the solver's text; empty for those without.
    pub networks: HashMap<String, String>,
}

impl Plan {
    /// Loads the instances of an experiment and lists its runs. `data` is the folder of the public
    /// data sets.
    ///
    /// # Errors
    /// A missing or broken data file, a generator that refuses, a peer that is not installed.
    pub fn load(experiment: Experiment, data: Option<&Path>) -> Result<Self, LabError> {
        Self::with_peers(experiment, data, &mut Peer::ask)
    }

    /// The plan of an experiment of which some runs are done and given. No peer is started or needs
    /// to be installed; each has the version of its last run.
    ///
    /// # Errors
    /// A missing or broken data file, a generator that refuses.
    pub fn of_results(
        experiment: Experiment,
        data: Option<&Path>,
        rows: &[Row],
    ) -> Result<Self, LabError> {
        Self::with_peers(experiment, data, &mut |peer| {
            if let Some(last) = rows.iter().rfind(|row| row.solver == peer.text) {
                peer.version.clone_from(&last.peer_version);
            }
            Ok(())
        })
    }

    fn with_peers(
        experiment: Experiment,
        data: Option<&Path>,
        version: &mut dyn FnMut(&mut Peer) -> Result<(), LabError>,
    ) -> Result<Self, LabError> {
        let folder = experiment.path.parent().unwrap_or(Path::new(""));
        let load = |suite| LoadedSuite::load(suite, &experiment.registry, folder, data);
        let suites = experiment.suites.iter().map(load).collect::<Result<_, _>>()?;
        let peer = |solver: &Solver| match &solver.engine {
            Engine::Peer(path) => {
                let mut peer = Peer::read(path)?;
                version(&mut peer)?;
                Ok(Some(peer))
            }
            _ => Ok(None),
        };
        let peers = experiment.solvers.iter().map(peer).collect::<Result<_, LabError>>()?;
        let (tasks, networks) = (Vec::new(), HashMap::new());
        let mut plan = Self { experiment, suites, tasks, peers, networks };
        (plan.tasks, plan.networks) = plan.list()?;
        Ok(plan)
    }

    /// The tasks, and the networks of their solvers.
    fn list(&self) -> Result<(Vec<Task>, HashMap<String, String>), LabError> {
        let mut tasks = Vec::new();
        // Read once: thousands of instances have the same solver.
        let mut networks = HashMap::new();
        let mut identities = HashMap::new();
        // The subsets of all suites come first: their figures are the first to be complete.
        for rest in [false, true] {
            for (suite, loaded) in self.suites.iter().enumerate() {
                let subset = self.experiment.suites[suite].subset.min(loaded.instances.len());
                let range = if rest { subset..loaded.instances.len() } else { 0..subset };
                let runs =
                    |solver: &usize| self.experiment.solvers[*solver].suites.contains(&suite);
                for instance in range {
                    for solver in (0..self.experiment.solvers.len()).filter(runs) {
                        let text = self.solver_text(suite, instance, solver)?;
                        let named = match &self.peers[solver] {
                            Some(_) => None,
                            None => networks
                                .entry(text.to_string())
                                .or_insert_with_key(|text| {
                                    let folder = self.experiment.registry.networks().folder;
                                    let networks =
                                        networks_of(loaded.family.models(), folder, text);
                                    on_device(networks.unwrap_or_default(), self.experiment.device)
                                })
                                .clone()
                                .into(),
                        };
                        let identity = match identities.entry((suite, text.to_string())) {
                            Entry::Occupied(known) => known.into_mut(),
                            Entry::Vacant(place) => {
                                let identity =
                                    Identity::of(&self.experiment.registry, loaded.family, &text);
                                let refused = |why| LabError::Usage(format!("{text}: {why}"));
                                place.insert(identity.map_err(refused)?)
                            }
                        };
                        for &seed in &self.experiment.seeds {
                            let mut task =
                                Task { suite, instance, solver, seed, key: Key::default() };
                            task.key = key(&self.row_of(&task, &text, named.clone()), identity);
                            tasks.push(task);
                        }
                    }
                }
            }
        }
        Ok((tasks, networks))
    }

    /// Returns the text of the solver for an instance: the expression with all defaults, or the
    /// text of the external program.
    ///
    /// # Errors
    /// The preset has no solver for this instance.
    pub fn solver_text(
        &self,
        suite: usize,
        instance: usize,
        solver: usize,
    ) -> Result<Cow<'_, str>, LabError> {
        match (&self.experiment.solvers[solver].engine, &self.peers[solver]) {
            (Engine::Spec(spec), _) => Ok(Cow::Borrowed(spec)),
            (Engine::Preset(name), _) => {
                let named = &self.suites[suite].instances[instance];
                let infos = registry::expressions(self.suites[suite].family);
                let spec = named.instance.preset(name);
                let spec = spec.and_then(|spec| bind::expand(&infos, Role::Search, &spec).ok());
                spec.map(|spec| Cow::Owned(spec.to_string())).ok_or_else(|| {
                    let (id, suite) = (&named.id, &self.suites[suite].name);
                    LabError::Usage(format!(
                        "the preset `{name}` has no solver for instance {id} of the suite {suite}"
                    ))
                })
            }
            (Engine::Peer(_), Some(peer)) => Ok(Cow::Borrowed(&peer.text)),
            (Engine::Peer(path), None) => Err(LabError::file(path, &"it was not read")),
        }
    }

    /// Everything about a run that is known before it begins.
    #[must_use]
    pub fn row(&self, task: &Task) -> Row {
        // It was made once when the plan was.
        let solver = self.solver_text(task.suite, task.instance, task.solver);
        let solver = solver.unwrap_or_default();
        self.row_of(task, &solver, self.networks.get(&*solver).cloned())
    }

    /// The row of a task whose solver is known by its text and networks, as they are recorded.
    fn row_of(&self, task: &Task, solver: &str, networks: Option<String>) -> Row {
        let suite = &self.suites[task.suite];
        let peer = self.peers[task.solver].as_ref();
        Row {
            experiment: self.experiment.name.clone(),
            suite: suite.name.clone(),
            id: suite.instances[task.instance].id.clone(),
            puzzle: suite.puzzle.clone(),
            instance: suite.texts[task.instance].clone(),
            solver: solver.to_owned(),
            peer_version: peer.map(|peer| peer.version.clone()).unwrap_or_default(),
            networks: networks.filter(|networks| !networks.is_empty()),
            seed: task.seed,
            threads: self.experiment.threads,
            limits: self.experiment.solvers[task.solver].limits.to_string(),
            key: task.key,
            ..Row::default()
        }
    }

    /// The runs of a shard, and of the subsets only if that is asked for. The instances of a suite
    /// are dealt out in turn, so that every shard has whole instances and about the same work.
    #[must_use]
    pub fn part(&self, shard: Shard, subset: bool) -> Vec<Task> {
        let wanted = |task: &&Task| {
            let inside = task.instance < self.experiment.suites[task.suite].subset;
            shard.has(task.instance) && (inside || !subset)
        };
        self.tasks.iter().filter(wanted).copied().collect()
    }
}

impl LoadedSuite {
    fn load(
        suite: &Suite,
        registry: &Registry,
        folder: &Path,
        data: Option<&Path>,
    ) -> Result<Self, LabError> {
        let refused = |what: &dyn std::fmt::Display| {
            LabError::Usage(format!("the suite `{}`: {what}", suite.name))
        };
        let (family, puzzle) = registry.puzzle(&suite.puzzle).map_err(|e| refused(&e))?;
        let mut instances = Vec::new();
        match &suite.source {
            Source::Generator { spec, seed, count } => {
                let bound = family.generator(Some(spec)).map_err(|e| refused(&e))?;
                for index in 0..*count as u64 {
                    let mut rng = Rng::stream(*seed, index);
                    let text = puzzle.generate(&bound, &mut rng).map_err(|e| refused(&e))?;
                    let instance = puzzle.load(&text).map_err(|e| refused(&e))?;
                    instances.push(Named::new((index + 1).to_string(), instance));
                }
            }
            Source::File { path, ids, skip, count } => {
                let (path, text) = read(suite, path, folder, data)?;
                instances = input::load(&*puzzle, &text).map_err(|e| LabError::Text {
                    path: path.clone(),
                    line: e.line,
                    column: e.column,
                    message: e.message,
                })?;
                if let Some(ids) = ids {
                    let mut picked: Vec<Named> = Vec::new();
                    for id in ids {
                        if picked.iter().any(|named| named.id == *id) {
                            return Err(refused(&format!("`{id}` is named twice")));
                        }
                        let found = instances.iter().position(|named| named.id == *id);
                        let place = found.ok_or_else(|| {
                            refused(&format!("there is no instance `{id}` in {}", path.display()))
                        })?;
                        picked.push(instances.remove(place));
                    }
                    instances = picked;
                }
                if *skip > 0 && *skip >= instances.len() {
                    let (path, n) = (path.display(), instances.len());
                    let message = format!(
                        "it leaves out the first {skip} instances of {path}, which has {n}"
                    );
                    return Err(refused(&message));
                }
                instances.drain(..skip);
                instances.truncate(count.unwrap_or(usize::MAX));
            }
            Source::Deals(first, last) => {
                for number in *first..=*last {
                    let deal = puzzle.deal(number);
                    let deal = deal.unwrap_or(Err("there are no numbered deals".to_owned()));
                    instances.push(Named::new(number.to_string(), deal.map_err(|e| refused(&e))?));
                }
            }
        }
        if suite.mirrored {
            for Named { id, instance, .. } in &mut instances {
                let none = || refused(&format!("instance `{id}` has no mirror image"));
                *instance = instance.mirrored().ok_or_else(none)?;
            }
        }
        let mut ids: Vec<&str> = instances.iter().map(|named| named.id.as_str()).collect();
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(refused(&format!("two instances are called `{}`", pair[0])));
        }
        let reference = match &suite.reference {
            Some(path) => columns(&read(suite, path, folder, data)?, &instances)?,
            None => HashMap::new(),
        };
        let optimum = match &suite.optimum {
            None => vec![None; instances.len()],
            Some(column) => match reference.get(column) {
                Some(values) if values.iter().flatten().any(|v| v.fract() != 0.0) => {
                    return Err(refused(&format!("the column `{column}` holds no whole numbers")));
                }
                Some(values) => values.iter().map(|v| v.map(|v| v as i64)).collect(),
                None => {
                    let mut known: Vec<_> = reference.keys().map(String::as_str).collect();
                    known.sort_unstable();
                    return Err(refused(&format!(
                        "its reference file has no column `{column}` (known: {})",
                        known.join(", ")
                    )));
                }
            },
        };
        let texts = instances.iter().map(|named| named.instance.text()).collect();
        Ok(Self {
            name: suite.name.clone(),
            puzzle: puzzle.spec(),
            unit: puzzle.unit(),
            instances,
            texts,
            reference,
            optimum,
            family,
        })
    }
}

/// A file of a suite: of the public data, or, if it begins with `./`, beside the experiment.
fn read(
    suite: &Suite,
    path: &str,
    folder: &Path,
    data: Option<&Path>,
) -> Result<(PathBuf, String), LabError> {
    let whole = match (path.strip_prefix("./"), data) {
        (Some(beside), _) => folder.join(beside),
        (None, Some(data)) => data.join(path),
        (None, None) => return Err(missing(suite, path, "UNRIDDLE_DATA is not set")),
    };
    match std::fs::read_to_string(&whole) {
        Ok(text) => Ok((whole, text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(missing(suite, path, &format!("{} does not exist", whole.display())))
        }
        Err(error) => Err(LabError::file(&whole, &error)),
    }
}

fn missing(suite: &Suite, path: &str, why: &str) -> LabError {
    let origin: String = suite.origin.iter().map(|o| format!(" It comes from: {o}.")).collect();
    LabError::Data(format!(
        "the suite `{}` needs the file {path} of the public data sets, but {why}.{origin} Set \
         UNRIDDLE_DATA to the folder that holds it.",
        suite.name
    ))
}

/// The columns of a reference file in the order of the instances; its first column holds their ids.
fn columns(
    (path, text): &(PathBuf, String),
    instances: &[Named],
) -> Result<HashMap<String, Vec<Option<f64>>>, LabError> {
    let refused = |error: csv::Error| {
        let line = error.position().map_or(1, |p| p.line() as usize);
        LabError::Text { path: path.clone(), line, column: 1, message: error.to_string() }
    };
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let names = reader.headers().map_err(refused)?.clone();
    let place: HashMap<&str, usize> =
        instances.iter().enumerate().map(|(i, named)| (named.id.as_str(), i)).collect();
    let mut columns = vec![vec![None; instances.len()]; names.len()];
    let mut words: Vec<Option<LabError>> = (0..names.len()).map(|_| None).collect();
    let mut known = 0;
    for record in reader.records() {
        let record = record.map_err(refused)?;
        let line = record.position().map_or(1, |p| p.line() as usize);
        let Some(&row) = record.get(0).and_then(|id| place.get(id.trim())) else {
            continue;
        };
        known += 1;
        for (at, cell) in record.iter().enumerate().take(names.len()).skip(1) {
            let cell = cell.trim();
            columns[at][row] = cell.parse().ok().filter(|v: &f64| v.is_finite());
            if columns[at][row].is_none() && !cell.is_empty() && words[at].is_none() {
                let message =
                    format!("`{}`: expected a number or nothing, found \"{cell}\"", &names[at]);
                words[at] = Some(LabError::Text { path: path.clone(), line, column: 1, message });
            }
        }
    }
    if known == 0 {
        let message = "the first column contains no name of an instance of the suite";
        return Err(LabError::file(path, &message));
    }
    let mut all = HashMap::new();
    for ((name, column), word) in names.iter().zip(columns).zip(words).skip(1) {
        match word {
            None => _ = all.insert(name.to_owned(), column),
            Some(error) if column.iter().any(Option::is_some) => return Err(error),
            // A column of words, such as solutions, has nothing to compare with.
            Some(_) => {}
        }
    }
    Ok(all)
}
