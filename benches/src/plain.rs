//! The document's functions as its reference program has them, one place at a time: what the bulk calls are measured against.

/// The profile.
use weald::core::waves::ORIGINAL;

const AH: [f64; 5] = [0.0, 13.0, 21.0, 22.0, 29.0];
const BH: [f64; 5] = [27.0, 26.0, 21.0, 11.0, 1.0];
const A1: [f64; 5] = [-43.0, -43.0, -56.0, 31.0, 4.0];
const B1: [f64; 5] = [-3.0, -12.0, 22.0, 2.0, 32.0];
const A2: [f64; 5] = [-24.0, -25.0, 60.0, 10.0, -30.0];
const B2: [f64; 5] = [15.0, -54.0, -34.0, -51.0, -43.0];
const A3: [f64; 5] = [-51.0, -62.0, -58.0, -64.0, 33.0];
const B3: [f64; 5] = [-44.0, 20.0, 27.0, -64.0, -44.0];

const PI_1000: f64 = std::f64::consts::PI * 1000.0;
const PI_10000: f64 = std::f64::consts::PI * 10000.0;
const LAKE: f64 = 204.0;

/// Without the call that `f64::floor` is on a processor without SSE 4.1.
#[inline]
fn floor(v: f64) -> i64 {
    let whole = v as i64;
    whole - i64::from(whole as f64 > v)
}

/// `calcHeight` of the document.
#[inline]
pub(crate) fn height(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..5 {
        let j = (AH[i] * x + BH[i] * y) * (1.0 / 128.0);
        let whole = floor(j);
        let here = ORIGINAL[(whole & 255) as usize] as f64;
        let next = ORIGINAL[((whole + 1) & 255) as usize] as f64;
        sum += here + (j - whole as f64) * (next - here);
    }
    sum
}

/// `calcProf` of the document.
#[inline]
fn steps(a: &[f64; 5], x: f64, b: &[f64; 5], y: f64) -> i64 {
    (0..5).map(|i| ORIGINAL[(floor(a[i] * x + b[i] * y) >> 7 & 255) as usize] as i64).sum()
}

/// `terra` of the document with its default settings: height, depth, and the codes of terrain and feature.
#[inline]
pub(crate) fn terra(x: f64, y: f64) -> (f64, f64, u8, u8) {
    let ground = height(x, y);
    if LAKE > ground {
        return (LAKE, LAKE - ground, 0, 0);
    }
    let (xr, yr) = (floor(x + 0.5), floor(y + 0.5));
    let product = xr * yr;
    let a = steps(&B2, xr as f64, &A3, yr as f64);
    let f = floor((a * product) as f64 * (1.0 / 128.0) + 0.5) & 0xfff;
    let feature = match (f, product & 0xff) {
        (4, ..32) => 1,
        (4, ..128) => 2,
        (4, ..160) => 4,
        (4, ..200) => 5,
        (4, _) => 3,
        (8, _) if floor(PI_1000 * product as f64 + 0.5) & 0xff < 4 => 6,
        (16, _) if floor(PI_10000 * product as f64 + 0.5) & 0xff < 8 => 7,
        _ => 0,
    };
    if steps(&A1, x, &B1, y) < 120 {
        return (ground, 0.0, 1, 0);
    }
    let (a, b) = (steps(&A2, x, &B2, y), steps(&A3, x, &B3, y));
    let terrain = match () {
        () if a < 255 && b < 255 => 2,
        () if a < 255 => 3,
        () if b < 200 => 5,
        () => 4,
    };
    (ground, 0.0, terrain, feature)
}
