//! Options, each declared in one line. [`options!`](crate::options!) turns them into a
//! configuration, its defaults, the parameters of its declaration, its reader of a bound spec and
//! the check of its bounds. [`words!`](crate::words!) declares an enumeration of words.
//!
//! ```
//! use unriddle_core::{Info, Options, Role, options, words};
//!
//! const INFO: Info =
//!     Info { parameters: DigConfig::PARAMETERS, ..Info::new(Role::Search, "dig", "digs") };
//!
//! words! {
//!     /// Digging tool.
//!     pub enum Tool {
//!         /// A spade.
//!         Spade = "spade",
//!         /// A spoon.
//!         Spoon = "spoon",
//!     }
//! }
//!
//! options! {
//!     /// How to dig.
//!     #[derive(Copy)]
//!     pub struct DigConfig of INFO (h: Heuristic, "where to dig") {
//!         depth: u32 = "10k" in 1..=1 << 20, "deepest hole";
//!         tool: Tool = "spade", "digging tool";
//!         light: bool = "yes" of ["yes", "no"], "whether there is light";
//!     }
//!     also {
//!         /// Seed of the positions.
//!         seed: u64 = 0;
//!     }
//! }
//!
//! assert_eq!(DigConfig::default().depth, 10_000);
//! let wrong = DigConfig { depth: 0, ..DigConfig::default() };
//! let message = wrong.check().unwrap_err().to_string();
//! assert_eq!(message, "dig: depth is 0, but must be between 1 and 1048576");
//! ```

use crate::{
    error::SearchError,
    info::{Domain, Parameter},
    number::Number,
};

/// Values by the names of their parameters: a bound spec, or [declared defaults](Declared).
///
/// The getters may panic if the declaration has no parameter of that name and kind. That is a
/// mistake of the program, which any use of the declaration reveals, never a mistake of the input.
///
/// ```
/// use unriddle_core::{Given, Info, Options, Role, options};
///
/// const DIG: Info =
///     Info { parameters: Dig::PARAMETERS, ..Info::new(Role::Search, "dig", "digs") };
/// options! { struct Dig of DIG { depth: usize = "3" in 1..=9, "depth"; } }
///
/// /// Returns the same number for every parameter.
/// struct All(u64);
///
/// impl Given for All {
///     fn integer(&self, _: &str) -> u64 { self.0 }
///     fn real(&self, _: &str) -> f64 { self.0 as f64 }
///     fn choice(&self, _: &str) -> &'static str { "" }
///     fn text(&self, _: &str) -> &str { "" }
/// }
///
/// assert_eq!(Dig::read(&All(7)).depth, 7);
/// ```
pub trait Given {
    /// The value of an integer parameter.
    fn integer(&self, name: &str) -> u64;
    /// The value of a real parameter.
    fn real(&self, name: &str) -> f64;
    /// The chosen word.
    fn choice(&self, name: &str) -> &'static str;
    /// The value of a text parameter.
    fn text(&self, name: &str) -> &str;
}

/// Configuration whose options are declared with [`options!`](crate::options!).
///
/// ```
/// use unriddle_core::{Info, Options, Role, options};
///
/// const DIG: Info =
///     Info { parameters: Dig::PARAMETERS, ..Info::new(Role::Search, "dig", "digs") };
/// options! { struct Dig of DIG { depth: usize = "3" in 1..=9, "depth"; } }
///
/// assert_eq!(Dig::PARAMETERS[0].name, "depth");
/// assert!(Dig::default().check().is_ok());
/// assert!(Dig { depth: 10 }.check().is_err());
/// ```
pub trait Options: Sized {
    /// Parameters of the declaration.
    const PARAMETERS: &'static [Parameter];

    /// Reads the options from given values.
    fn read(given: &dyn Given) -> Self;

    /// Compares every option with its bounds.
    ///
    /// # Errors
    /// [`SearchError::BadOption`] for the first option out of bounds.
    fn check(&self) -> Result<(), SearchError>;
}

/// Type of an option.
///
/// ```
/// use unriddle_core::{Domain, options::Field};
///
/// // An integer without declared bounds accepts the values of its type.
/// assert_eq!(<u8 as Field>::DOMAIN, Domain::Integer { min: 0, max: 255 });
/// ```
pub trait Field: Sized {
    /// Accepted values if no bounds are declared.
    const DOMAIN: Domain;
    /// Former words of a choice, each with its present word.
    const FORMER_WORDS: &'static [(&'static str, &'static str)] = &[];

    /// Reads the value of an option.
    fn read(given: &dyn Given, name: &str) -> Self;

    /// The value as a number, if it is out of bounds.
    fn outside(&self, domain: &Domain) -> Option<String> {
        let _ = domain;
        None
    }
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Field for $type {
            const DOMAIN: Domain = Domain::Integer { min: 0, max: $type::MAX as u64 };

            fn read(given: &dyn Given, name: &str) -> Self {
                // Declared bounds are of this type, so that no given value exceeds it.
                Self::try_from(given.integer(name)).unwrap_or(Self::MAX)
            }

            fn outside(&self, domain: &Domain) -> Option<String> {
                match *domain {
                    Domain::Integer { min, max } if (min..=max).contains(&(*self as u64)) => None,
                    _ => Some(self.to_string()),
                }
            }
        }
    )*};
}
integers! { u8 u16 u32 u64 usize }

impl Field for f64 {
    const DOMAIN: Domain = Domain::Real { min: Self::NEG_INFINITY, max: Self::INFINITY };

    fn read(given: &dyn Given, name: &str) -> Self {
        given.real(name)
    }

    fn outside(&self, domain: &Domain) -> Option<String> {
        match *domain {
            Domain::Real { min, max } if (min..=max).contains(self) => None,
            _ => Some(self.to_string()),
        }
    }
}

/// `on` and `yes` are true.
impl Field for bool {
    const DOMAIN: Domain = Domain::Choice(&["off", "on"]);

    fn read(given: &dyn Given, name: &str) -> Self {
        matches!(given.choice(name), "on" | "yes")
    }
}

/// Type of an option that is a word of a list.
pub type Word = &'static str;

impl Field for Word {
    const DOMAIN: Domain = Domain::Choice(&[]);

    fn read(given: &dyn Given, name: &str) -> Self {
        given.choice(name)
    }
}

impl Field for String {
    const DOMAIN: Domain = Domain::Text;

    fn read(given: &dyn Given, name: &str) -> Self {
        given.text(name).to_owned()
    }
}

impl Domain {
    /// The domain of a number with the given bounds: `integers` for integers, `reals` for real
    /// numbers.
    #[must_use]
    pub const fn within(self, integers: (u64, u64), reals: (f64, f64)) -> Self {
        match self {
            Self::Real { .. } => Self::Real { min: reals.0, max: reals.1 },
            _ => Self::Integer { min: integers.0, max: integers.1 },
        }
    }
}

/// Compares an option with its bounds.
///
/// # Errors
/// [`SearchError::BadOption`] if the option is out of bounds.
pub fn check<T: Field>(
    of: &str,
    name: &str,
    value: &T,
    domain: &Domain,
) -> Result<(), SearchError> {
    let Some(value) = value.outside(domain) else { return Ok(()) };
    let (min, max) = match *domain {
        Domain::Integer { min, max } => (min.to_string(), max.to_string()),
        Domain::Real { min, max } => (min.to_string(), max.to_string()),
        _ => return Ok(()),
    };
    Err(SearchError::BadOption(format!(
        "{of}: {name} is {value}, but must be between {min} and {max}"
    )))
}

/// Defaults of parameters as values; a text without a default is empty.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a>(pub &'a [Parameter]);

impl<'a> Declared<'a> {
    /// Reads the default of a parameter by `read`.
    fn default<T>(&self, name: &str, read: impl FnOnce(&'a Parameter, &'a str) -> Option<T>) -> T {
        let parameter = self.0.iter().find(|p| p.name == name);
        let value = parameter.and_then(|p| read(p, p.default.unwrap_or_default()));
        value.unwrap_or_else(|| panic!("the default of `{name}` is not declared, or wrong"))
    }
}

impl Given for Declared<'_> {
    fn integer(&self, name: &str) -> u64 {
        self.default(name, |_, text| Number::read(text)?.integer().ok())
    }

    fn real(&self, name: &str) -> f64 {
        self.default(name, |_, text| Number::read(text)?.real())
    }

    fn choice(&self, name: &str) -> &'static str {
        self.default(name, |parameter, text| match parameter.domain {
            Domain::Choice(words) => words.iter().copied().find(|&word| word == text),
            _ => None,
        })
    }

    fn text(&self, name: &str) -> &str {
        self.default(name, |_, text| Some(text))
    }
}

/// Declares a configuration with options: see [`options`](mod@crate::options).
///
/// An option is `name: Type = "default" in bounds, "short text", "paragraph";`. Its default is
/// written as in a spec; without a default the option must be given. The paragraph is optional.
/// `name("word")` is called `word` in specs, and `name was "old"` accepts the former name `old` in
/// specs. `of ["no", "yes"]` lists the words of a `bool` or a [`Word`]. `, positional` before the
/// text allows the option without its name. Expressions (`h: Heuristic`) precede all options in
/// parentheses, parted by semicolons: they are declared, but are not part of the configuration.
/// Fields after `also` are part of the configuration, but are not declared.
#[macro_export]
macro_rules! options {
    (
        $(#[$meta:meta])*
        $vis:vis struct $config:ident of $info:ident
        $((
            $( $expr:ident : $role:ident $(= $expr_default:literal)? , $expr_text:literal );+
        ))?
        {
            $(
                $(#[$doc:meta])*
                $field:ident $(($word:literal))? $(was $former:literal)? : $type:ident
                $(= $default:literal)? $(of [$($words:literal),*])? $(in $range:expr)?
                $(, $positional:ident)? , $text:literal $(, $details:literal)? ;
            )*
        }
        $(also { $( $(#[$more_doc:meta])* $more:ident : $more_type:ty = $value:expr ; )* })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $config {
            $(
                #[doc = $text]
                $(#[doc = ""] #[doc = $details])?
                #[doc = ""]
                $(#[$doc])*
                pub $field: $type,
            )*
            $($( $(#[$more_doc])* pub $more: $more_type, )*)?
        }

        impl ::std::default::Default for $config {
            fn default() -> Self {
                let declared = <Self as $crate::Options>::PARAMETERS;
                <Self as $crate::Options>::read(&$crate::options::Declared(declared))
            }
        }

        impl $crate::Options for $config {
            const PARAMETERS: &'static [$crate::Parameter] = &[
                $($($crate::Parameter {
                    name: stringify!($expr),
                    former_name: None,
                    summary: $expr_text,
                    details: "",
                    domain: $crate::Domain::$role,
                    default: $crate::options!(@default $($expr_default)?),
                    positional: true,
                    variadic: false,
                    former_words: &[],
                },)+)?
                $($crate::Parameter {
                    name: $crate::options!(@name $field $($word)?),
                    former_name: $crate::options!(@default $($former)?),
                    summary: $text,
                    details: concat!("" $(, $details)?),
                    domain: $crate::options!(@domain $type [$($range)?] [$($($words),*)?]),
                    default: $crate::options!(@default $($default)?),
                    positional: $crate::options!(@positional $($positional)?),
                    variadic: false,
                    former_words: <$type as $crate::options::Field>::FORMER_WORDS,
                },)*
            ];

            fn read(given: &dyn $crate::options::Given) -> Self {
                let _ = given;
                Self {
                    $($field: $crate::options::Field::read(
                        given,
                        $crate::options!(@name $field $($word)?),
                    ),)*
                    $($( $more: $value, )*)?
                }
            }

            fn check(&self) -> ::std::result::Result<(), $crate::SearchError> {
                $($crate::options::check(
                    $info.name,
                    $crate::options!(@name $field $($word)?),
                    &self.$field,
                    &$crate::options!(@domain $type [$($range)?] [$($($words),*)?]),
                )?;)*
                Ok(())
            }
        }
    };

    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $word:literal) => { $word };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
    (@positional) => { false };
    (@positional positional) => { true };
    (@domain $type:ident [] []) => { <$type as $crate::options::Field>::DOMAIN };
    (@domain $type:ident [] [$($words:literal),+]) => { $crate::Domain::Choice(&[$($words),+]) };
    (@domain $type:ident [$range:expr] []) => {{
        // The option's own type: bounds beyond it do not compile.
        const BOUNDS: ::std::ops::RangeInclusive<$type> = $range;
        let (min, max) = (*BOUNDS.start(), *BOUNDS.end());
        <$type as $crate::options::Field>::DOMAIN
            .within((min as u64, max as u64), (min as f64, max as f64))
    }};
}

/// Declares an enumeration of words, whose default is the first word; see
/// [`options`](mod@crate::options). `Variant = "word" was "old"` accepts the former word `old` in
/// specs.
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(#[$first_doc:meta])* $first:ident = $first_word:literal $(was $first_former:literal)?
            $(, $(#[$doc:meta])* $variant:ident = $word:literal $(was $former:literal)?)* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        $vis enum $name {
            $(#[$first_doc])*
            #[default]
            $first,
            $( $(#[$doc])* $variant, )*
        }

        impl $name {
            /// The words, in the order of the variants.
            pub const NAMES: [&'static str; [$first_word $(, $word)*].len()] =
                [$first_word $(, $word)*];

            /// The word of the variant.
            #[must_use]
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// The variant of a word.
            #[must_use]
            pub fn of(word: &str) -> Option<Self> {
                match word {
                    $first_word => Some(Self::$first),
                    $( $word => Some(Self::$variant), )*
                    _ => None,
                }
            }
        }

        impl $crate::options::Field for $name {
            const DOMAIN: $crate::Domain = $crate::Domain::Choice(&Self::NAMES);
            const FORMER_WORDS: &'static [(&'static str, &'static str)] =
                &[$(($first_former, $first_word),)? $($(($former, $word),)?)*];

            fn read(given: &dyn $crate::options::Given, name: &str) -> Self {
                // Only these words are ever given.
                Self::of(given.choice(name)).unwrap_or_default()
            }
        }
    };
}
