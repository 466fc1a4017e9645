//! Vector instructions of this CPU, and functions that are compiled once for each level of them.
//!
//! The workspace is built for CPUs of 2009 (x86-64-v2). Hot functions here are compiled three
//! times, and the level stored in a network selects one. Only [`Level::best`] and [`Level::all`]
//! create a [`Level`], so a value of it proves that the CPU has its instructions.

use std::sync::LazyLock;

/// A level of vector instructions that this CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level(Kind);

/// The levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Instructions that the whole program is compiled for.
    Portable,
    /// AVX2 and fused multiplication and addition: x86-64 CPUs since 2013.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with the byte products of neural networks (VNNI): servers since 2019, Zen 4.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The highest level of this CPU.
    pub(crate) fn best() -> Self {
        static BEST: LazyLock<Level> = LazyLock::new(|| {
            let all = Level::all();
            all[all.len() - 1]
        });
        *BEST
    }

    /// All levels of this CPU, from the lowest.
    pub(crate) fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut all = vec![Self(Kind::Portable)];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            all.push(Self(Kind::Avx2));
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                all.push(Self(Kind::Avx512));
            }
        }
        all
    }

    /// Kind of the level, for a `match`.
    pub(crate) fn kind(self) -> Kind {
        self.0
    }
}

/// Compiles a function for every level; the first argument of the result is the level.
///
/// The body is plain Rust that the compiler vectorises. The compiler never fuses a separate
/// multiplication and addition, so all versions give the same bits. Generic parameters are written
/// in square brackets.
macro_rules! versions {
    ($(#[$meta:meta])* $vis:vis fn $name:ident $([$($generic:tt)*])? ($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name $(<$($generic)*>)? (level: $crate::simd::Level, $($arg: $ty),*) $(-> $ret)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn body $(<$($generic)*>)? ($($arg: $ty),*) $(-> $ret)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            #[allow(clippy::too_many_arguments)]
            fn avx2 $(<$($generic)*>)? ($($arg: $ty),*) $(-> $ret)? { body($($arg),*) }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")]
            #[allow(clippy::too_many_arguments)]
            fn avx512 $(<$($generic)*>)? ($($arg: $ty),*) $(-> $ret)? { body($($arg),*) }

            match level.kind() {
                $crate::simd::Kind::Portable => body($($arg),*),
                // SAFETY: a level proves that the CPU has its instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Kind::Avx2 => unsafe { avx2($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Kind::Avx512 => unsafe { avx512($($arg),*) },
            }
        }
    };
}
pub(crate) use versions;
