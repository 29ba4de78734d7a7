//! Floating-point functions that give the same bits everywhere.
//!
//! IEEE 754 fixes `+ − × ÷ sqrt`, comparisons and rounding to integers; those may be used directly. Everything
//! else comes from here: a pinned, pure-Rust `libm`.

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

/// From `a` to `b` as `t` goes from 0 to 1; `t` is limited to [0, 1].
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
    fn lerp_meets_its_ends_and_does_not_overshoot() {
        assert_eq!(lerp(1.0, 1.35, 0.0), 1.0);
        assert_eq!(lerp(2.0, 4.0, 7.0), 4.0);
    }
}
