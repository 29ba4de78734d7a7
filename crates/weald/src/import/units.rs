//! Units of length by the codes of the EPSG register (version 11.022 of 2024), as GeoTIFF 1.1 names them.

use crate::georeference::CrsUnit;
use weald_core::Grid;

/// Metres in a unit of length, by its code.
pub(super) fn length(code: u64) -> Option<f64> {
    Some(match code {
        // The German legal metre differs by 14 millionths, which no map shows.
        9001 | 9031 => 1.0,
        9002 => CrsUnit::Foot.metres()?,
        9003 => CrsUnit::UsFoot.metres()?,
        9005 => 0.304_797_265_4,
        9036 => 1000.0,
        9041 => 0.304_799_471_538_676_2,
        9080 => 0.304_799_510_248_147,
        9094 => 0.304_799_710_181_508_8,
        9095 => 0.304_800_749_1,
        9096 => 0.9144,
        9014 => 1.8288,
        9030 => 1852.0,
        9093 => 1609.344,
        1025 => 0.001,
        1033 => 0.01,
        _ => return None,
    })
}

/// Whether what a file says of the unit of its numbers names one.
pub(super) fn is_unit(name: &str) -> bool {
    !matches!(name.trim(), "" | "1" | "unitless")
}

/// Metres in a unit of length, by its name in files.
pub(super) fn named(name: &str) -> Option<f64> {
    let code = match name.trim().to_ascii_lowercase().replace('_', " ").as_str() {
        "m" | "metre" | "metres" | "meter" | "meters" => 9001,
        "ft" | "foot" | "feet" | "international foot" | "international feet" | "foot international" => 9002,
        "us-ft" | "sft" | "ftus" | "us ft" | "us foot" | "us feet" | "foot us" | "us survey foot"
        | "us survey feet" => 9003,
        "km" | "kilometre" | "kilometres" | "kilometer" | "kilometers" => 9036,
        "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" => 1033,
        "mm" | "millimetre" | "millimetres" | "millimeter" | "millimeters" => 1025,
        _ => return None,
    };
    length(code)
}

/// What makes metres of the numbers of a file.
pub(super) struct Scale {
    /// What they are multiplied with, and what is then added.
    factor: f64,
    offset: f64,
    /// Metres in their unit, if a file says it.
    pub(super) unit_m: Option<f64>,
}

impl Scale {
    /// The scale of numbers that become a height in a unit of `unit_m` metres, or in metres if nothing says it, by a factor and an offset.
    pub(super) fn new(factor: Option<f64>, offset: Option<f64>, unit_m: Option<f64>) -> Self {
        let metres = unit_m.unwrap_or(1.0);
        Self { factor: factor.unwrap_or(1.0) * metres, offset: offset.unwrap_or(0.0) * metres, unit_m }
    }

    /// Whether the numbers stay as they are.
    pub(super) fn is_none(&self) -> bool {
        (self.factor, self.offset) == (1.0, 0.0)
    }

    /// Makes metres of the numbers of a map, and notes it.
    pub(super) fn apply(&self, map: &mut Grid<f32>, notes: &mut Vec<String>) {
        if self.is_none() {
            return;
        }
        let &Self { factor, offset, unit_m } = self;
        map.cells_mut().iter_mut().for_each(|v| *v = (f64::from(*v) * factor + offset) as f32);
        notes.push(format!("its numbers times {factor} plus {offset}"));
        match unit_m.map(|m| (m, CrsUnit::of_metres(m))) {
            None | Some((_, Some(CrsUnit::Metre))) => {}
            Some((_, Some(unit))) => notes.push(format!("heights in {} became metres", unit.plural())),
            Some((m, None)) => notes.push(format!("heights in units of {m} m became metres")),
        }
    }
}

/// The unit of the coordinates of a projected system, by its code; none if it is neither metres nor feet.
pub(super) fn projected(code: u64) -> Option<CrsUnit> {
    let among = |runs: &[(u64, u64, u64)]| {
        runs.iter()
            .any(|&(first, last, step)| (first..=last).contains(&code) && (code - first).is_multiple_of(step))
    };
    if among(&FEET) {
        Some(CrsUnit::Foot)
    } else if among(&US_FEET) {
        Some(CrsUnit::UsFoot)
    } else if OTHER.contains(&code) {
        None
    } else {
        Some(CrsUnit::Metre)
    }
}

/// Metres in a unit of the heights of a vertical system, by its code.
pub(super) fn vertical(code: u64) -> f64 {
    let unit = match code {
        5614 | 6130..=6132 | 8050 | 8051 | 8228 | 8897 => 9002,
        5702 | 6358..=6360 | 8052 | 8053 => 9003,
        5754 => 9095,
        _ => 9001,
    };
    length(unit).unwrap_or(1.0)
}

/// Whether the coordinates of a geographic system are grads, by its code.
pub(super) fn in_grads(code: u64) -> bool {
    matches!(code, 4807 | 4810 | 4811 | 4816 | 4819 | 4821 | 4901 | 4902)
}

/// Projected systems in feet of 0.3048 m: the first and the last code of a run, and the step from code to code.
const FEET: [(u64, u64, u64); 40] = [
    (2222, 2224, 1),
    (2251, 2253, 1),
    (2256, 2256, 1),
    (2265, 2273, 4),
    (2266, 2270, 4),
    (2280, 2282, 1),
    (2867, 2869, 1),
    (2896, 2898, 1),
    (2901, 2901, 1),
    (2909, 2910, 1),
    (2913, 2914, 1),
    (2921, 2923, 1),
    (2992, 2994, 2),
    (3080, 3080, 1),
    (3359, 3361, 2),
    (3479, 3483, 2),
    (3588, 3590, 2),
    (3593, 3593, 1),
    (3605, 3605, 1),
    (3634, 3636, 2),
    (3644, 3648, 2),
    (3656, 3656, 1),
    (3676, 3682, 3),
    (5588, 5588, 1),
    (6128, 6141, 1),
    (6391, 6391, 1),
    (6405, 6409, 2),
    (6494, 6496, 2),
    (6499, 6499, 1),
    (6515, 6515, 1),
    (6545, 6547, 2),
    (6557, 6561, 2),
    (6570, 6570, 1),
    (6785, 6863, 2),
    (6868, 6868, 1),
    (6885, 6887, 2),
    (7119, 7127, 1),
    (8065, 8068, 1),
    (8312, 8348, 2),
    (20050, 20050, 1),
];

/// The same for feet of the surveys of the United States.
const US_FEET: [(u64, u64, u64); 99] = [
    (2155, 2155, 1),
    (2194, 2194, 1),
    (2204, 2204, 1),
    (2225, 2250, 1),
    (2254, 2263, 3),
    (2255, 2287, 4),
    (2258, 2264, 1),
    (2268, 2277, 3),
    (2272, 2278, 2),
    (2284, 2289, 1),
    (2870, 2895, 1),
    (2899, 2919, 4),
    (2900, 2928, 4),
    (2902, 2908, 1),
    (2917, 2920, 1),
    (2925, 2930, 1),
    (2964, 2968, 1),
    (3089, 3091, 2),
    (3102, 3102, 1),
    (3363, 3365, 2),
    (3404, 3404, 1),
    (3417, 3438, 1),
    (3441, 3446, 1),
    (3451, 3459, 1),
    (3485, 3487, 2),
    (3490, 3512, 2),
    (3515, 3553, 2),
    (3560, 3570, 1),
    (3582, 3586, 2),
    (3598, 3600, 2),
    (3608, 3632, 2),
    (3640, 3642, 2),
    (3650, 3662, 4),
    (3652, 3652, 1),
    (3660, 3672, 4),
    (3670, 3674, 2),
    (3677, 3686, 3),
    (3688, 3700, 4),
    (3690, 3690, 1),
    (3698, 3698, 1),
    (3728, 3739, 1),
    (3753, 3760, 1),
    (3991, 3992, 1),
    (4217, 4217, 1),
    (4399, 4413, 1),
    (4418, 4433, 1),
    (4438, 4457, 1),
    (5623, 5625, 1),
    (5646, 5646, 1),
    (5654, 5655, 1),
    (6200, 6202, 1),
    (6411, 6413, 2),
    (6416, 6438, 2),
    (6441, 6479, 2),
    (6484, 6492, 2),
    (6501, 6507, 2),
    (6510, 6510, 1),
    (6517, 6543, 2),
    (6549, 6555, 2),
    (6563, 6565, 2),
    (6568, 6576, 4),
    (6574, 6590, 4),
    (6584, 6590, 2),
    (6593, 6609, 2),
    (6612, 6618, 2),
    (6625, 6627, 1),
    (6633, 6633, 1),
    (6880, 6880, 1),
    (6923, 6925, 2),
    (6966, 6966, 1),
    (6997, 6997, 1),
    (7057, 7070, 1),
    (7128, 7132, 4),
    (7258, 7370, 2),
    (7587, 7645, 1),
    (8035, 8036, 1),
    (8091, 8093, 2),
    (8096, 8172, 2),
    (8177, 8180, 3),
    (8182, 8185, 3),
    (8189, 8197, 4),
    (8200, 8210, 2),
    (8213, 8216, 3),
    (8220, 8224, 4),
    (8226, 8226, 1),
    (8380, 8384, 2),
    (8387, 8387, 1),
    (8518, 8540, 1),
    (9748, 9749, 1),
    (10481, 10516, 1),
    (10622, 10622, 1),
    (23301, 23333, 1),
    (26729, 26813, 1),
    (26847, 26870, 1),
    (32001, 32058, 1),
    (32064, 32077, 1),
    (32099, 32099, 1),
    (32164, 32167, 1),
    (32664, 32667, 1),
];

/// Projected systems in yards, links, chains, kilometres and the feet of other surveys.
const OTHER: [u64; 25] = [
    2066, 2136, 2159, 2160, 2314, 3139, 3140, 3167, 3407, 5472, 5589, 22300, 24100, 24370, 24371, 24372,
    24373, 24374, 24382, 24571, 27291, 27292, 29871, 29872, 30200,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_have_the_units_of_the_register() {
        for (code, unit) in [
            // UTM, Lambert 93, web maps; Michigan Central and Oregon in feet; California, Tennessee and New York in feet of surveys.
            (32617, Some(CrsUnit::Metre)),
            (2154, Some(CrsUnit::Metre)),
            (3857, Some(CrsUnit::Metre)),
            (2253, Some(CrsUnit::Foot)),
            (6559, Some(CrsUnit::Foot)),
            (2229, Some(CrsUnit::UsFoot)),
            (2264, Some(CrsUnit::UsFoot)),
            (2274, Some(CrsUnit::UsFoot)),
            (6539, Some(CrsUnit::UsFoot)),
            (6538, Some(CrsUnit::Metre)),
            (24370, None),
        ] {
            assert_eq!(projected(code), unit, "EPSG:{code}");
        }
        assert_eq!((vertical(5703), vertical(6360)), (1.0, 1200.0 / 3937.0));
        assert_eq!((named("ftUS"), named("Metre"), named("K")), (Some(1200.0 / 3937.0), Some(1.0), None));
    }
}
