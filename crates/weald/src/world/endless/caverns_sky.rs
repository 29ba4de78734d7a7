//! Caverns below the ground and islands in the sky: both are scaled and shifted copies of the ground.

use super::place::Endless;
use super::window::Window;
use weald_core::{Cancelled, Ctx, Grid, par};

/// Offset of the floor's copy of the ground, in metres east and north.
const FLOOR_SHIFT: (i64, i64) = (1700, -900);
/// Offset of the roof's copy of the ground.
const ROOF_SHIFT: (i64, i64) = (-2300, 4100);
/// Height around which copies of the ground are scaled: the mean of the ground, 5 · 59.73.
pub const MEAN_HEIGHT: f64 = 298.65;
/// Mean height of the caverns' floor: well below the mines.
const FLOOR_HEIGHT: f64 = -200.0;
/// Thickness of an island at its shore: the smallest step of heights.
const RIM: f64 = 1.0 / 128.0;
/// Scale and offset of the copy of the ground that makes undersides uneven.
const KEEL: (i64, i64, i64) = (3, 5200, 7700);

/// Floor and roof at a place. It is open where the roof is above the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cavern {
    /// Height of the floor.
    pub floor: f64,
    /// Height of the roof.
    pub roof: f64,
}

/// An island in the sky at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkyIsland {
    /// Height of its ground.
    pub top: f64,
    /// Height of its underside; below it is sky.
    pub underside: f64,
}

impl Endless {
    /// The cavern at a place: floor = −200 + relief·(h(n·x + 1700, n·y − 900) − mean), roof the same with another shift, plus
    /// the rise; n is how many times finer than the hills they are. Reach: point.
    pub fn cavern(&self, x: f64, y: f64) -> Cavern {
        let finer = self.params.caverns.finer as f64;
        let copy = |(dx, dy): (i64, i64)| self.ground_height(finer * x + dx as f64, finer * y + dy as f64);
        self.cavern_of(copy(FLOOR_SHIFT), copy(ROOF_SHIFT))
    }

    fn cavern_of(&self, floor: f64, roof: f64) -> Cavern {
        let c = &self.params.caverns;
        let scaled = |h: f64| FLOOR_HEIGHT + c.relief * (h - MEAN_HEIGHT);
        Cavern { floor: scaled(floor), roof: scaled(roof) + c.rise }
    }

    /// The island in the sky at a place, if the ground is not below the level l of the shores: its underside is at
    /// l − 1/128 − keel·(h − l)·k / mean, with k the height of a finer copy of the ground. Reach: point.
    pub fn sky_island(&self, x: f64, y: f64) -> Option<SkyIsland> {
        let (finer, dx, dy) = KEEL;
        let uneven = self.ground_height(finer as f64 * x + dx as f64, finer as f64 * y + dy as f64);
        self.sky_of(self.ground_height(x, y), uneven)
    }

    fn sky_of(&self, height: f64, uneven: f64) -> Option<SkyIsland> {
        let sky = &self.params.sky;
        let above = height - sky.level;
        (above >= 0.0).then(|| SkyIsland {
            top: height,
            underside: sky.level - RIM - sky.keel * above * uneven / MEAN_HEIGHT,
        })
    }

    /// Floor and roof of the caverns of a window.
    pub fn caverns(&self, window: &Window, ctx: &Ctx) -> Result<(Grid<f32>, Grid<f32>), Cancelled> {
        let finer = self.params.caverns.finer as i64;
        let (mut floor, mut roof) =
            self.two_copies(window, [finer, finer], [FLOOR_SHIFT, ROOF_SHIFT], ctx)?;
        par::for_rows((floor.rows_mut(), roof.rows_mut()), ctx, |_, (floors, roofs)| {
            for (floor, roof) in floors.iter_mut().zip(roofs) {
                let cavern = self.cavern_of(*floor as f64, *roof as f64);
                (*floor, *roof) = (cavern.floor as f32, cavern.roof as f32);
            }
        })?;
        Ok((floor, roof))
    }

    /// Top and underside of the islands in the sky of a window; both the level of the shores where there is none.
    pub fn sky_islands(&self, window: &Window, ctx: &Ctx) -> Result<(Grid<f32>, Grid<f32>), Cancelled> {
        let (mut top, mut under) = self.two_copies(window, [1, KEEL.0], [(0, 0), (KEEL.1, KEEL.2)], ctx)?;
        let level = self.params.sky.level as f32;
        par::for_rows((top.rows_mut(), under.rows_mut()), ctx, |_, (tops, unders)| {
            for (top, under) in tops.iter_mut().zip(unders) {
                let island = self.sky_of(*top as f64, *under as f64);
                (*top, *under) = island.map_or((level, level), |i| (i.top as f32, i.underside as f32));
            }
        })?;
        Ok((top, under))
    }

    /// Two scaled and shifted copies of the ground.
    fn two_copies(
        &self,
        window: &Window,
        scales: [i64; 2],
        shifts: [(i64, i64); 2],
        ctx: &Ctx,
    ) -> Result<(Grid<f32>, Grid<f32>), Cancelled> {
        let mut grids = [(); 2].map(|()| Grid::filled(window.width, window.height, 0.0f32));
        for (i, grid) in grids.iter_mut().enumerate() {
            self.ground_rows(window, [scales[i], shifts[i].0, shifts[i].1], grid, ctx)?;
        }
        let [a, b] = grids;
        Ok((a, b))
    }
}
