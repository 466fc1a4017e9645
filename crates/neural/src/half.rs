//! Half precision (IEEE 754 binary16) as bits: the two conversions that files of networks need.

/// Bits of the nearest number of half precision, the even one of two; infinite where it is too
/// large.
///
/// Adding just less than half a unit of the last kept bit, and one more where that bit is set,
/// rounds to nearest. Below 2⁻¹⁴ numbers are multiples of 2⁻²⁴.
pub(crate) fn to_half(x: f32) -> u16 {
    let sign = (x.to_bits() >> 16) as u16 & 0x8000;
    let bits = x.to_bits() & 0x7fff_ffff;
    let magnitude = match x.abs() {
        _ if x.is_nan() => 0x7e00,
        size if size >= 65536.0 => 0x7c00,
        size if size < f32::powi(2.0, -14) => (size * f32::powi(2.0, 24)).round_ties_even() as u16,
        _ => (((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10)) as u16,
    };
    sign | magnitude
}

/// Number that bits of half precision represent.
///
/// Single precision has 13 more bits and an exponent bias that is 112 greater, also for numbers
/// below 2⁻¹⁴.
pub(crate) fn from_half(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let is_finite = bits & 0x7c00 != 0x7c00;
    let size = if is_finite {
        f32::from_bits(magnitude) * f32::powi(2.0, 112)
    } else {
        f32::from_bits(magnitude | 0x7f80_0000)
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_have_the_bits_of_the_standard() {
        let known = [(1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (6.103_515_6e-5, 0x0400)];
        for (number, bits) in known {
            assert_eq!((to_half(number), from_half(bits)), (bits, number));
        }
        assert_eq!(from_half(1), f32::powi(2.0, -24));
        assert_eq!(to_half(65520.0), to_half(f32::INFINITY));
        assert!(from_half(to_half(f32::NAN)).is_nan());
    }

    #[test]
    fn conversion_keeps_every_half_and_rounds_to_the_nearest() {
        for bits in 0..0x7c00u16 {
            for sign in [0, 0x8000] {
                assert_eq!(to_half(from_half(bits | sign)), bits | sign);
            }
            // The number above the greatest finite one would be 65536.
            let above = if bits == 0x7bff { 65536.0 } else { from_half(bits + 1) };
            // The middle and its neighbours are numbers of single precision.
            let middle = f32::midpoint(from_half(bits), above);
            assert_eq!(to_half(middle), bits + (bits & 1));
            assert_eq!(to_half(middle.next_down()), bits);
            assert_eq!(to_half(middle.next_up()), bits + 1);
        }
    }
}
