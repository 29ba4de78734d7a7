//! The eight directions, clockwise from east: the only neighbour table of the project.

/// One of the eight directions to a neighbouring cell, or [`Dir8::NONE`]. East is 0, then clockwise: south-east 1, south 2, south-west 3,
/// west 4, north-west 5, north 6, north-east 7. NONE is 255.
///
/// ```
/// use weald_core::Dir8;
///
/// let south_east = Dir8(1);
/// assert_eq!((south_east.dx(), south_east.dy()), (1, 1));
/// assert_eq!(south_east.opposite(), Dir8(5));
/// assert!(!Dir8::NONE.is_some());
/// ```
#[doc(alias = "D8")]
#[doc(alias = "flow direction")]
#[doc(alias = "Moore neighbourhood")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Dir8(pub u8);

impl Dir8 {
    /// No direction: the cell is a pit or an outlet.
    pub const NONE: Dir8 = Dir8(255);

    /// All eight directions in numeric order, which is also the order in which neighbours are visited.
    pub const ALL: [Dir8; 8] = [Dir8(0), Dir8(1), Dir8(2), Dir8(3), Dir8(4), Dir8(5), Dir8(6), Dir8(7)];

    /// Columns that a step in each direction leads east.
    pub const DX: [i32; 8] = [1, 1, 0, -1, -1, -1, 0, 1];

    /// Rows that a step in each direction leads south.
    pub const DY: [i32; 8] = [0, 1, 1, 1, 0, -1, -1, -1];

    /// Compass points, by number.
    pub const NAMES: [&'static str; 8] = ["E", "SE", "S", "SW", "W", "NW", "N", "NE"];

    /// Columns that a step leads east: −1, 0 or 1.
    pub fn dx(self) -> i32 {
        Self::DX[self.0 as usize]
    }

    /// Rows that a step leads south: −1, 0 or 1.
    pub fn dy(self) -> i32 {
        Self::DY[self.0 as usize]
    }

    /// Whether this is one of the eight directions and not [`Dir8::NONE`].
    pub fn is_some(self) -> bool {
        self.0 < 8
    }

    /// Whether a step leads along both axes.
    pub fn is_diagonal(self) -> bool {
        self.0 & 1 == 1
    }

    /// The opposite direction.
    pub fn opposite(self) -> Dir8 {
        Dir8((self.0 + 4) & 7)
    }

    /// The columns whose neighbour in this direction lies on a map of `width` columns, and the columns of those
    /// neighbours.
    pub fn columns(self, width: usize) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        match self.dx() {
            1 => (0..width - 1, 1..width),
            -1 => (1..width, 0..width - 1),
            _ => (0..width, 0..width),
        }
    }

    /// Index of the cell that a step from `cell` leads to, with the offsets of [`Dir8::offsets`]; `None` for
    /// [`Dir8::NONE`].
    #[inline]
    pub fn step_from(self, cell: usize, offsets: &[isize; 8]) -> Option<usize> {
        self.is_some().then(|| cell.wrapping_add_signed(offsets[self.0 as usize]))
    }

    /// The direction from one cell to another of a row-major array of `width` columns; `None` unless they are neighbours.
    ///
    /// ```
    /// use weald_core::Dir8;
    ///
    /// assert_eq!(Dir8::between(10, 35, 46), Some(Dir8(1)));
    /// // The last cell of a row and the first of the next are no neighbours.
    /// assert_eq!(Dir8::between(10, 39, 40), None);
    /// ```
    pub fn between(width: usize, from: usize, to: usize) -> Option<Dir8> {
        let step = |a: usize, b: usize| b as i64 - a as i64;
        let by = (step(from % width, to % width), step(from / width, to / width));
        Self::ALL.into_iter().find(|d| (d.dx() as i64, d.dy() as i64) == by)
    }

    /// Offsets of the indices of the eight neighbours from that of a cell, in a row-major array of `width` columns.
    pub const fn offsets(width: usize) -> [isize; 8] {
        let mut out = [0; 8];
        let mut d = 0;
        while d < 8 {
            out[d] = Self::DY[d] as isize * width as isize + Self::DX[d] as isize;
            d += 1;
        }
        out
    }
}

/// Calls `visit(direction, x, y)` for each neighbour of `(x, y)` that lies on the map, in the order of [`Dir8`].
///
/// ```
/// use weald_core::dir8::neighbours;
///
/// let mut count = 0;
/// neighbours(3, 3, 0, 0, |_, _, _| count += 1);
/// assert_eq!(count, 3);
/// ```
#[inline]
pub fn neighbours(
    width: usize,
    height: usize,
    x: usize,
    y: usize,
    mut visit: impl FnMut(Dir8, usize, usize),
) {
    for d in Dir8::ALL {
        let (nx, ny) = (x as i64 + d.dx() as i64, y as i64 + d.dy() as i64);
        if nx >= 0 && ny >= 0 && nx < width as i64 && ny < height as i64 {
            visit(d, nx as usize, ny as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_run_clockwise_from_east_and_y_grows_south() {
        assert_eq!((Dir8(0).dx(), Dir8(0).dy()), (1, 0));
        assert_eq!((Dir8(2).dx(), Dir8(2).dy()), (0, 1));
        for d in Dir8::ALL {
            let back = d.opposite();
            assert_eq!((d.dx() + back.dx(), d.dy() + back.dy()), (0, 0));
            assert_eq!(d.is_diagonal(), d.dx() != 0 && d.dy() != 0);
        }
    }

    #[test]
    fn a_step_leads_to_the_neighbour_and_none_leads_nowhere() {
        let offsets = Dir8::offsets(10);
        assert_eq!((Dir8(1).step_from(35, &offsets), Dir8(6).step_from(35, &offsets)), (Some(46), Some(25)));
        assert_eq!(Dir8::NONE.step_from(35, &offsets), None);
    }

    #[test]
    fn a_corner_has_three_neighbours_in_numeric_order() {
        let mut seen = vec![];
        neighbours(4, 4, 0, 0, |d, x, y| seen.push((d.0, x, y)));
        assert_eq!(seen, [(0, 1, 0), (1, 1, 1), (2, 0, 1)]);
    }
}
