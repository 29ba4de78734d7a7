//! A runner in a window: [`crate::world::runner`] on a map of the endless world.

use super::kinds::Terrain;
use super::map::Map;
use super::params::REACH_M;
use super::place::Endless;
use super::placed::Place;
use super::window::Window;
use crate::error::{Error, Result};
use crate::world::runner::{self, Cell, Footing, Going};
use weald_core::Ctx;

pub use crate::world::runner::{FASTEST, LOOK_AHEAD_M, slope_speed};

/// A route between two whole places.
pub type Way = runner::Way<Place>;

/// The straight and the fastest route between two whole places.
pub type Leg = runner::Leg<Place>;

/// What a surface allows a runner.
fn footing(surface: u8) -> Footing {
    match Terrain::of_code(surface) {
        Some(Terrain::Moor | Terrain::Stream) => Footing::Rough,
        Some(Terrain::Thicket | Terrain::Marsh | Terrain::Mud | Terrain::Lake) => Footing::Bad,
        Some(Terrain::Building) | None => Footing::Closed,
        Some(_) => Footing::Good,
    }
}

/// Share of full speed on a surface; 0 for a building, which cannot be entered.
pub fn ground_speed(surface: u8) -> f64 {
    footing(surface).share()
}

impl Endless {
    /// The window in which the route between two places is searched for: both of them, and `margin` metres around. Fails for
    /// places beyond [`REACH_M`].
    pub fn leg_window(&self, from: Place, to: Place, margin: u32) -> Result<Window> {
        let inside = |v: i64| (-REACH_M..=REACH_M).contains(&v);
        if ![from.0, from.1, to.0, to.1].into_iter().all(inside) {
            let message = format!("the places of a leg must lie between -{REACH_M} and {REACH_M}");
            return Err(Error::Invalid(message));
        }
        let (margin, within) = (i64::from(margin), |v: i64| v.clamp(-REACH_M, REACH_M));
        let (west, east) = (within(from.0.min(to.0) - margin), within(from.0.max(to.0) + margin));
        let (south, north) = (within(from.1.min(to.1) - margin), within(from.1.max(to.1) + margin));
        Ok(Window { west, north, width: (east - west + 1) as usize, height: (north - south + 1) as usize })
    }
}

impl Going for Map {
    fn shape(&self) -> (usize, usize) {
        (self.window.width, self.window.height)
    }

    fn full_speed_m_s(&self) -> f64 {
        self.world.params().runner.speed_m_s
    }

    fn footing(&self, cell: Cell) -> Footing {
        footing(self.surface[cell])
    }

    fn height(&self, cell: Cell, (dx, dy): (f64, f64)) -> f64 {
        let (x, y) = self.window.place(cell.0, cell.1);
        self.world.ground_height(x as f64 + dx, y as f64 - dy).max(self.world.water_level())
    }
}

impl Map {
    /// The straight route, metre by metre, and the fastest route along 16 directions from cell to cell.
    pub fn leg(&self, from: Place, to: Place, ctx: &Ctx) -> Result<Leg> {
        let inside = |place: Place| {
            self.window.cell(place).ok_or_else(|| {
                Error::Invalid(format!(
                    "{},{}: is outside the window; make the window larger",
                    place.0, place.1
                ))
            })
        };
        let leg = runner::leg(self, inside(from)?, inside(to)?, ctx)?;
        Ok(leg.map(|(column, row)| self.window.place(column, row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::endless::EndlessParams;

    #[test]
    fn buildings_are_closed_thicket_is_slow_and_the_usual_speed_is_that_of_every_world() {
        assert_eq!(ground_speed(Terrain::Thicket as u8), 0.2);
        assert_eq!(ground_speed(Terrain::Building as u8), 0.0);
        assert_eq!(EndlessParams::default().runner.speed_m_s, runner::FULL_SPEED_M_S);
    }
}
