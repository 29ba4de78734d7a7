//! Colours: ramps for measures, and how two colours are mixed.
//!
//! A ramp is a short table of stops. Between two stops the colour is interpolated in OKLab (Ottosson 2020), in
//! which equal steps look equally large, so that a ramp shows no bands that are not in the data.

use super::image::Rgb;
use weald_core::math;

/// Colours along a scale from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Ramp {
    /// Position and colour, positions rising from 0 to 1.
    pub stops: &'static [(f32, Rgb)],
}

/// Heights, from moist lowland over straw and tan to bare summits.
pub const HEIGHT: Ramp = Ramp {
    stops: &[
        (0.0, [86, 130, 104]),
        (0.2, [136, 167, 120]),
        (0.4, [196, 204, 150]),
        (0.55, [230, 218, 170]),
        (0.7, [208, 173, 127]),
        (0.85, [160, 122, 98]),
        (1.0, [245, 241, 236]),
    ],
};

/// Moisture, from dry sand to deep water.
pub const MOISTURE: Ramp = Ramp {
    stops: &[
        (0.0, [244, 233, 204]),
        (0.3, [200, 213, 168]),
        (0.6, [97, 168, 162]),
        (0.8, [47, 116, 147]),
        (1.0, [27, 58, 105]),
    ],
};

/// Flow accumulation, from paper to ink blue.
pub const ACCUMULATION: Ramp = Ramp {
    stops: &[
        (0.0, [248, 245, 236]),
        (0.35, [193, 217, 224]),
        (0.65, [91, 153, 187]),
        (0.85, [36, 92, 142]),
        (1.0, [15, 37, 82]),
    ],
};

/// Slope, from pale paper over ochre to dark brown.
pub const SLOPE: Ramp = Ramp {
    stops: &[
        (0.0, [250, 246, 235]),
        (0.3, [238, 209, 157]),
        (0.6, [211, 137, 84]),
        (0.85, [142, 67, 54]),
        (1.0, [73, 29, 39]),
    ],
};

/// Roughness and obstruction, from pale over mauve to dark violet.
pub const ROUGHNESS: Ramp = Ramp {
    stops: &[(0.0, [249, 244, 238]), (0.35, [220, 194, 196]), (0.7, [152, 109, 138]), (1.0, [65, 39, 79])],
};

/// Vegetation, from straw over leaf green to dark spruce.
pub const VEGETATION: Ramp = Ramp {
    stops: &[
        (0.0, [247, 239, 210]),
        (0.3, [207, 215, 143]),
        (0.6, [122, 168, 90]),
        (0.85, [49, 109, 72]),
        (1.0, [20, 61, 54]),
    ],
};

/// Any other measure, from paper to ink.
pub const PLAIN: Ramp = Ramp {
    stops: &[(0.0, [250, 246, 236]), (0.4, [196, 192, 180]), (0.75, [115, 118, 122]), (1.0, [37, 44, 56])],
};

/// Directions: cyclic, ends equal. 0 is east, then clockwise.
pub const ASPECT: Ramp = Ramp {
    stops: &[
        (0.0, [214, 164, 92]),
        (0.25, [170, 92, 112]),
        (0.5, [88, 98, 158]),
        (0.75, [112, 172, 150]),
        (1.0, [214, 164, 92]),
    ],
};

/// sRGB channel to linear light: c/12.92 below 0.04045, ((c + 0.055)/1.055)^2.4 above.
fn linear(channel: u8) -> f64 {
    let c = channel as f64 / 255.0;
    if c <= 0.04045 { c / 12.92 } else { math::pow((c + 0.055) / 1.055, 2.4) }
}

/// Linear light to an sRGB channel, rounded and clamped.
fn channel(light: f64) -> u8 {
    let l = math::clamp01(light);
    let c = if l <= 0.0031308 { l * 12.92 } else { 1.055 * math::pow(l, 1.0 / 2.4) - 0.055 };
    (c * 255.0).round() as u8
}

/// OKLab coordinates of a colour: lightness, green to red, blue to yellow.
pub fn oklab(colour: Rgb) -> [f64; 3] {
    let [r, g, b] = colour.map(linear);
    let root = |v: f64| math::pow(v, 1.0 / 3.0);
    let l = root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    let m = root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    let s = root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    [
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
}

/// The colour at OKLab coordinates, clamped to sRGB.
pub fn from_oklab([lightness, a, b]: [f64; 3]) -> Rgb {
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    let (l, m, s) = (l * l * l, m * m * m, s * s * s);
    [
        channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s),
    ]
}

/// From `a` to `b` as `t` goes from 0 to 1, linear in OKLab.
pub fn mix(a: Rgb, b: Rgb, t: f64) -> Rgb {
    let (p, q) = (oklab(a), oklab(b));
    from_oklab(std::array::from_fn(|k| math::lerp(p[k], q[k], t)))
}

impl Ramp {
    /// The colour at `t`, clamped to [0, 1].
    pub fn at(&self, t: f64) -> Rgb {
        let t = math::clamp01(t);
        for pair in self.stops.windows(2) {
            let ((t0, a), (t1, b)) = (pair[0], pair[1]);
            if t <= t1 as f64 {
                let span = (t1 - t0) as f64;
                return if span > 0.0 { mix(a, b, (t - t0 as f64) / span) } else { b };
            }
        }
        self.stops.last().map_or([0; 3], |s| s.1)
    }

    /// The ramp at 0/255, 1/255, …, 255/255.
    pub fn table(&self) -> Vec<Rgb> {
        (0..256).map(|i| self.at(i as f64 / 255.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, Ramp); 8] = [
        ("height", HEIGHT),
        ("moisture", MOISTURE),
        ("accumulation", ACCUMULATION),
        ("slope", SLOPE),
        ("roughness", ROUGHNESS),
        ("vegetation", VEGETATION),
        ("plain", PLAIN),
        ("aspect", ASPECT),
    ];

    #[test]
    fn a_ramp_meets_its_stops_exactly() {
        for (name, ramp) in ALL {
            for &(t, colour) in ramp.stops {
                assert_eq!(ramp.at(t as f64), colour, "{name} at {t}");
            }
            assert_eq!(ramp.at(-3.0), ramp.stops[0].1);
            assert_eq!(ramp.at(f64::NAN), ramp.stops[0].1);
        }
    }

    #[test]
    fn sequential_ramps_get_darker_all_the_way() {
        for (name, ramp) in &ALL[1..7] {
            let light: Vec<f64> = ramp.table().into_iter().map(|c| oklab(c)[0]).collect();
            assert!(light.windows(2).all(|w| w[1] <= w[0] + 0.004), "{name}: {light:?}");
            assert!(light[0] - light[255] > 0.4, "{name} spans too little");
        }
    }

    #[test]
    fn the_cyclic_ramp_has_no_seam_and_no_jump() {
        let table = ASPECT.table();
        assert_eq!(table[0], table[255]);
        for w in table.windows(2) {
            let far = (0..3).map(|k| w[0][k].abs_diff(w[1][k])).max().unwrap();
            assert!(far <= 4, "{w:?}");
        }
    }

    #[test]
    fn oklab_goes_there_and_back() {
        for c in [[0, 0, 0], [255, 255, 255], [12, 200, 99], [255, 0, 0], [3, 4, 250]] {
            assert_eq!(from_oklab(oklab(c)), c);
        }
        assert!((oklab([255, 255, 255])[0] - 1.0).abs() < 1e-6);
    }
}
