//! Floating-point functions that give the same bits on every machine.
//!
//! IEEE 754 defines `+ − × ÷ sqrt`, comparisons and rounding to integers exactly; those may be used directly. All other
//! functions come from here: they call a pinned version of `libm`, which is written in Rust.
//!
//! ```
//! use weald_core::math;
//!
//! assert_eq!(math::pow(2.0, 10.0), 1024.0);
//! assert_eq!(math::smoothstep(0.5), 0.5);
//! ```

/// e to the power x.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// x to the power y.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// x to the power y for x from 0 to 1 and y from 0 to 5, accurate to six digits. It vectorises, which [`pow`] does not.
///
/// 2^(y·log₂ x). The logarithm of the mantissa m is a series in u = (m − 1)/(m + 1); the power of two of the fraction f is
/// a series in f ln 2.
#[inline(always)]
pub fn pow_unit(x: f32, y: f32) -> f32 {
    const LN_2: f32 = std::f32::consts::LN_2;
    // The mantissa is taken from 0.75 to 1.5, so that the series converges fast.
    let bits = x.max(1e-30).to_bits();
    let shift = bits.wrapping_sub(0x3F40_0000);
    let exponent = (shift as i32 >> 23) as f32;
    let mantissa = f32::from_bits((shift & 0x007F_FFFF).wrapping_add(0x3F40_0000));
    let u = (mantissa - 1.0) / (mantissa + 1.0);
    let u2 = u * u;
    let series = 1.0 + u2 * (1.0 / 3.0 + u2 * (1.0 / 5.0 + u2 * (1.0 / 7.0 + u2 * (1.0 / 9.0))));
    let power = (y * (exponent + 2.0 / LN_2 * u * series)).max(-126.0);
    let whole = (power as i32) - (power < 0.0) as i32;
    let f = (power - whole as f32) * LN_2;
    let near = 1.0 / 24.0 + f * (1.0 / 120.0 + f * (1.0 / 720.0 + f * (1.0 / 5040.0)));
    let fraction = 1.0 + f * (1.0 + f * (0.5 + f * (1.0 / 6.0 + f * near)));
    let out = f32::from_bits(((whole + 127) << 23) as u32) * fraction;
    if x > 0.0 { out.min(1.0) } else { 0.0 }
}

/// Sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Tangent of an angle in radians.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Angle of the vector (x, y) in radians, in (−π, π].
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// `x` limited to [0, 1]. NaN becomes 0.
#[inline]
pub fn clamp01(x: f64) -> f64 {
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}

/// t²(3 − 2t) with `t` limited to [0, 1]: rises from 0 to 1 with zero slope at both ends.
#[inline]
pub fn smoothstep(t: f64) -> f64 {
    let t = clamp01(t);
    t * t * (3.0 - 2.0 * t)
}

/// Linear interpolation from `a` to `b` as `t` goes from 0 to 1; `t` is limited to [0, 1].
#[inline]
pub fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * clamp01(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamp01_is_total_and_never_gives_minus_zero() {
        assert_eq!(clamp01(-0.0).to_bits(), 0.0f64.to_bits());
        assert_eq!(clamp01(f64::NAN), 0.0);
        assert_eq!(clamp01(f64::INFINITY), 1.0);
        assert_eq!(clamp01(0.25), 0.25);
    }

    #[test]
    fn powers_of_the_unit_interval_have_six_digits_and_never_fall() {
        for y in [0.01f32, 0.3, 0.756, 1.0, 2.5, 5.0] {
            let mut last = 0.0;
            for i in 0..=100_000 {
                let x = i as f32 / 100_000.0;
                let (near, exact) = (pow_unit(x, y), pow(x as f64, y as f64));
                assert!((near as f64 - exact).abs() <= 2e-6 * exact.max(1e-6), "{x}^{y}: {near} and {exact}");
                assert!(near as f64 >= last as f64 * (1.0 - 1e-6));
                last = near;
            }
        }
        assert_eq!((pow_unit(0.0, 0.5), pow_unit(1.0, 0.5)), (0.0, 1.0));
    }

    #[test]
    fn smoothstep_meets_its_ends_and_its_middle() {
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(smoothstep), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert!(smoothstep(0.01) < 0.001 && smoothstep(0.99) > 0.999);
    }

    #[test]
    fn lerp_meets_its_ends_and_does_not_overshoot() {
        assert_eq!(lerp(1.0, 1.35, 0.0), 1.0);
        assert_eq!(lerp(2.0, 4.0, 7.0), 4.0);
    }
}
