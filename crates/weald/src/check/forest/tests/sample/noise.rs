//! The noise of chapter 4, written from the document: sums of improved Perlin noise (Perlin 2002,
//! <https://doi.org/10.1145/566570.566636>).

use weald_core::seed::{GOLDEN, mix64};

const GRADIENTS: [[f64; 2]; 8] =
    [[1., 1.], [-1., 1.], [1., -1.], [-1., -1.], [1., 0.], [-1., 0.], [0., 1.], [0., -1.]];

/// The permutation of a state: a Fisher-Yates shuffle fed by SplitMix64.
fn permutation(mut state: u64) -> Vec<u8> {
    let mut p: Vec<u8> = (0..=255).collect();
    for i in (1..256).rev() {
        state = state.wrapping_add(GOLDEN);
        p.swap(i, (mix64(state) % (i as u64 + 1)) as usize);
    }
    p
}

/// One octave at a point, from -1 to 1.
fn perlin(p: &[u8], x: f64, y: f64) -> f64 {
    let (x0, y0) = (x.floor(), y.floor());
    let (fx, fy) = (x - x0, y - y0);
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let corner = |dx: i64, dy: i64| {
        let column = p[((x0 as i64 + dx) & 255) as usize];
        let [gx, gy] = GRADIENTS[usize::from(p[((i64::from(column) + y0 as i64 + dy) & 255) as usize] & 7)];
        gx * (fx - dx as f64) + gy * (fy - dy as f64)
    };
    let (u, v) = (fade(fx), fade(fy));
    let row = |dy: i64| corner(0, dy) + u * (corner(1, dy) - corner(0, dy));
    ((row(0) + v * (row(1) - row(0))) / std::f64::consts::SQRT_2).clamp(-1.0, 1.0)
}

/// A map of octaves, each with twice the frequency and `persistence` times the weight of the one before; from 0 to 1.
pub(super) fn map(
    state: u64,
    (octaves, frequency, persistence): (u64, f64, f64),
    w: usize,
    h: usize,
) -> Vec<f32> {
    let weight = |k: u64| (0..k).fold(1.0, |a, _| a * persistence);
    let fields: Vec<_> = (0..octaves)
        .map(|k| {
            let p = permutation(mix64(state ^ k.wrapping_mul(GOLDEN)));
            (p, frequency * (1u64 << k) as f64, weight(k))
        })
        .collect();
    let whole = fields.iter().fold(0.0, |sum, f| sum + f.2);
    let value = |i: usize| {
        let (x, y) = ((i % w) as f64, (i / w) as f64);
        let sum = fields.iter().fold(0.0, |sum, (p, f, a)| sum + a * perlin(p, x * f, y * f));
        ((sum / whole + 1.0) / 2.0) as f32
    };
    (0..w * h).map(value).collect()
}
