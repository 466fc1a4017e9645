//! Stabiliser chain of a permutation group (Schreier and Sims): order, membership, random elements.
//!
//! A chain has a base of points. Level `i` knows the orbit of base point `i` under the subgroup
//! that fixes all earlier base points, and for each point of the orbit an element that leads back
//! to the base point. Every element is a unique product of such elements, so that its membership is
//! tested by *sifting*: level by level the base point is led back from the point to which the
//! element maps it.
//!
//! [`Chain::new`] sifts random elements (product replacement) until 30 in a row add nothing: the
//! chain is then complete but for a probability of at most 2⁻³⁰. A product of its elements is a
//! member in any case. [`Chain::complete`] sifts every Schreier generator, so that a failed test
//! proves that an element is no member.
//!
//! Source: D. F. Holt, B. Eick, E. A. O'Brien 2005, Handbook of Computational Group Theory, §4.4.

use super::Image;
use unriddle_core::Rng;

/// Random elements in a row that must sift to the identity.
const QUIET: usize = 30;

/// Elements of the generator of random elements.
const SLOTS: usize = 12;

/// Steps that mix these elements before the first is used.
const MIXING: usize = 60;

/// Subgroup that fixes the base points of all earlier levels.
#[derive(Clone, Debug)]
struct Level {
    base: u16,
    /// Strong generators of the subgroup.
    generators: Vec<Image>,
    /// Points of the orbit of `base`, in the order in which they were found.
    orbit: Vec<u16>,
    /// For each point of the orbit, an element that maps the point to `base`.
    back: Vec<Option<Image>>,
}

impl Level {
    fn new(base: u16, points: usize) -> Self {
        let mut back = vec![None; points];
        back[usize::from(base)] = Some(Image::identity(points));
        Self { base, generators: Vec::new(), orbit: vec![base], back }
    }

    /// Adds a generator and the points that it makes reachable.
    fn add(&mut self, generator: Image) {
        self.generators.push(generator);
        let newest = self.generators.len() - 1;
        let known = self.orbit.len();
        let mut at = 0;
        while at < self.orbit.len() {
            // Only the newest generator leads from old points to new ones.
            let first = if at < known { newest } else { 0 };
            for number in first..self.generators.len() {
                self.reach(self.orbit[at], number);
            }
            at += 1;
        }
    }

    fn reach(&mut self, point: u16, generator: usize) {
        let generator = &self.generators[generator];
        let image = generator.of(point);
        if self.back[usize::from(image)].is_none()
            && let Some(back) = &self.back[usize::from(point)]
        {
            self.back[usize::from(image)] = Some(generator.inverse().then(back));
            self.orbit.push(image);
        }
    }
}

/// Stabiliser chain of the group that some permutations generate.
///
/// ```
/// use unriddle_permutation::group::{Image, chain::Chain};
///
/// // A ring of three, and a swap.
/// let moves = [Image::of_array(&[1, 2, 0, 3]), Image::of_array(&[1, 0, 2, 3])];
/// let chain = Chain::new(&moves, 4, &[]);
/// assert_eq!(chain.order(), "6");
/// assert!(!chain.contains(&Image::of_array(&[0, 1, 3, 2])));
/// ```
#[derive(Clone, Debug)]
pub struct Chain {
    levels: Vec<Level>,
    points: usize,
    /// Whether every Schreier generator was sifted.
    is_complete: bool,
}

impl Chain {
    /// The chain of the group of `generators` on `points` points. Its base begins with `base`.
    #[must_use]
    pub fn new(generators: &[Image], points: usize, base: &[u16]) -> Self {
        let levels = base.iter().map(|&base| Level::new(base, points)).collect();
        let mut chain = Self { levels, points, is_complete: false };
        for generator in generators {
            chain.add(generator.clone());
        }
        let mut random = Random::new(generators, points);
        let mut quiet = 0;
        while quiet < QUIET {
            quiet = if chain.add(random.next()) { 0 } else { quiet + 1 };
        }
        chain
    }

    /// Sifts an element, and adds the rest. Returns whether it was new.
    fn add(&mut self, element: Image) -> bool {
        let (rest, level) = self.sifted(element, 0);
        let Some(moved) = rest.first_moved() else { return false };
        if level == self.levels.len() {
            self.levels.push(Level::new(moved, self.points));
        }
        // It fixes the base points of all levels before.
        for level in &mut self.levels[..level] {
            level.add(rest.clone());
        }
        self.levels[level].add(rest);
        true
    }

    /// An element led back from level `first` on, and the level at which it could not be led back:
    /// the number of levels if it was led back everywhere.
    fn sifted(&self, mut element: Image, first: usize) -> (Image, usize) {
        for (number, level) in self.levels.iter().enumerate().skip(first) {
            let image = element.of(level.base);
            if image == level.base {
                continue;
            }
            match &level.back[usize::from(image)] {
                Some(back) => element = element.then(back),
                None => return (element, number),
            }
        }
        (element, self.levels.len())
    }

    /// Whether an element is a product of the generators. `false` is proved only for a
    /// [complete](Self::complete) chain.
    #[must_use]
    pub fn contains(&self, element: &Image) -> bool {
        self.sifted(element.clone(), 0).0.first_moved().is_none()
    }

    /// Whether [`complete`](Self::complete) has confirmed the chain.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Sifts every Schreier generator, until none adds anything.
    pub fn complete(&mut self) {
        let mut level = self.levels.len();
        while level > 0 {
            level -= 1;
            if let Some(missing) = self.missing(level) {
                self.add(missing);
                // The subgroups of all levels may have grown.
                level = self.levels.len();
            }
        }
        self.is_complete = true;
    }

    /// A Schreier generator of a level that the levels below do not contain.
    fn missing(&self, number: usize) -> Option<Image> {
        let level = &self.levels[number];
        for &point in &level.orbit {
            let to = level.back[usize::from(point)].as_ref()?.inverse();
            for generator in &level.generators {
                let element = to.then(generator);
                let (rest, _) = self.sifted(element, number);
                if rest.first_moved().is_some() {
                    return Some(rest);
                }
            }
        }
        None
    }

    /// The order of the group in decimal digits.
    #[must_use]
    pub fn order(&self) -> String {
        const PART: u64 = 1_000_000_000;
        let mut parts: Vec<u64> = vec![1];
        for level in &self.levels {
            let mut carry = 0;
            for part in &mut parts {
                let product = *part * level.orbit.len() as u64 + carry;
                (*part, carry) = (product % PART, product / PART);
            }
            if carry > 0 {
                parts.push(carry);
            }
        }
        let mut text = parts.pop().unwrap_or(1).to_string();
        parts.iter().rev().for_each(|part| text.push_str(&format!("{part:09}")));
        text
    }

    /// A random element; all elements have the same probability.
    #[must_use]
    pub fn random(&self, rng: &mut Rng) -> Image {
        let mut element = Image::identity(self.points);
        for level in &self.levels {
            let point = level.orbit[rng.below(level.orbit.len() as u64) as usize];
            if let Some(back) = &level.back[usize::from(point)] {
                element = element.then(back);
            }
        }
        element
    }

    /// Points that every element fixes that fixes the first `levels` base points.
    #[must_use]
    pub fn fixed_below(&self, levels: usize) -> Vec<u16> {
        let generators: Vec<&Image> =
            self.levels.get(levels).into_iter().flat_map(|level| &level.generators).collect();
        let is_fixed = |&point: &u16| generators.iter().all(|image| image.of(point) == point);
        (0..self.points as u16).filter(is_fixed).collect()
    }

    /// An element that maps each base point to a point that `allows` accepts, found by trying all
    /// points level by level. `Err` after `limit` tries.
    ///
    /// # Errors
    /// The search was given up.
    pub fn find(
        &self,
        allows: &mut dyn FnMut(&Image) -> bool,
        is_possible: &dyn Fn(u16, u16) -> bool,
        limit: usize,
    ) -> Result<Option<Image>, GivenUp> {
        let mut tries = limit;
        self.find_from(0, &Image::identity(self.points), allows, is_possible, &mut tries)
    }

    fn find_from(
        &self,
        number: usize,
        // Product of the chosen elements of the levels above.
        above: &Image,
        allows: &mut dyn FnMut(&Image) -> bool,
        is_possible: &dyn Fn(u16, u16) -> bool,
        tries: &mut usize,
    ) -> Result<Option<Image>, GivenUp> {
        *tries = tries.checked_sub(1).ok_or(GivenUp)?;
        let Some(level) = self.levels.get(number) else {
            return Ok(allows(above).then(|| above.clone()));
        };
        for &point in &level.orbit {
            let Some(back) = &level.back[usize::from(point)] else { continue };
            if !is_possible(level.base, above.of(point)) {
                continue;
            }
            let element = back.inverse().then(above);
            let found = self.find_from(number + 1, &element, allows, is_possible, tries)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Search for an element that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

/// Random elements of a group by product replacement. Seeded, so that a chain is always the same.
struct Random {
    elements: Vec<Image>,
    sum: Image,
    rng: Rng,
}

impl Random {
    fn new(generators: &[Image], points: usize) -> Self {
        let slots = SLOTS.max(generators.len() + 1);
        let elements = generators.iter().cycle().take(slots).cloned().collect();
        let mut random = Self { elements, sum: Image::identity(points), rng: Rng::new(1) };
        for _ in 0..MIXING.max(2 * slots) {
            random.next();
        }
        random
    }

    fn next(&mut self) -> Image {
        let count = self.elements.len() as u64;
        if count < 2 {
            return self.elements.first().cloned().unwrap_or_else(|| self.sum.clone());
        }
        let at = self.rng.below(count) as usize;
        let other = (at + 1 + self.rng.below(count - 1) as usize) % self.elements.len();
        let factor = match self.rng.below(2) {
            0 => self.elements[other].clone(),
            _ => self.elements[other].inverse(),
        };
        self.elements[at] = match self.rng.below(2) {
            0 => self.elements[at].then(&factor),
            _ => factor.then(&self.elements[at]),
        };
        self.sum = self.sum.then(&self.elements[at]);
        self.sum.clone()
    }
}
