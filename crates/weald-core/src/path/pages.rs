//! A paged grid: a map in square pages that are cleared when they are first used.

/// Side of a page in cells.
pub(super) const PAGE: usize = 32;

/// Cells of a page.
pub(super) const PAGE_CELLS: usize = PAGE * PAGE;

/// Where a page lies.
#[derive(Clone, Copy)]
struct Place {
    /// Its number on the map.
    at: u32,
    /// Column and row of its first cell.
    x: u32,
    y: u32,
}

/// What a search knows of each cell, stored in square pages of cells. Only the pages that a search uses are cleared for
/// it, so a search costs as much as it visits, whatever the size of the map.
pub(super) struct Pages<T> {
    empty: T,
    wide: usize,
    /// 1 + index into `cells` for each page of the map, or 0 if the page is not in use.
    directory: Vec<u32>,
    /// Each page in use.
    touched: Vec<Place>,
    pub(super) cells: Vec<[T; PAGE_CELLS]>,
}

impl<T: Copy> Pages<T> {
    pub(super) fn new(width: usize, height: usize, empty: T) -> Self {
        let wide = width.div_ceil(PAGE);
        let directory = vec![0; wide * height.div_ceil(PAGE)];
        Self { empty, wide, directory, touched: Vec::new(), cells: Vec::new() }
    }

    /// Makes all cells empty and keeps the memory.
    pub(super) fn forget(&mut self) {
        for place in self.touched.drain(..) {
            self.directory[place.at as usize] = 0;
        }
    }

    /// The page of a cell and its index on the page. The page is cleared when a search uses it for the first time.
    #[inline]
    pub(super) fn slot(&mut self, x: usize, y: usize) -> (usize, usize) {
        self.slot_or(x, y, |_, _| {})
    }

    /// The same; `prepare` is given the number on the map and the cells of a page that has just been cleared.
    #[inline]
    pub(super) fn slot_or(
        &mut self,
        x: usize,
        y: usize,
        prepare: impl FnOnce(usize, &mut [T; PAGE_CELLS]),
    ) -> (usize, usize) {
        let at = (y / PAGE) * self.wide + x / PAGE;
        let i = (y % PAGE) * PAGE + x % PAGE;
        match self.directory[at] {
            0 => {
                let p = self.clear_page(at);
                prepare(at, &mut self.cells[p]);
                (p, i)
            }
            p => (p as usize - 1, i),
        }
    }

    #[cold]
    fn clear_page(&mut self, at: usize) -> usize {
        let p = self.touched.len();
        let (x, y) = (at % self.wide * PAGE, at / self.wide * PAGE);
        self.touched.push(Place { at: at as u32, x: x as u32, y: y as u32 });
        self.directory[at] = p as u32 + 1;
        if p == self.cells.len() {
            self.cells.push([self.empty; PAGE_CELLS]);
        } else {
            self.cells[p].fill(self.empty);
        }
        p
    }

    /// Number of page `p` on the map.
    #[inline]
    pub(super) fn on_map(&self, p: usize) -> usize {
        self.touched[p].at as usize
    }

    /// Position on the map of the cell `i` of page `p`.
    #[inline]
    pub(super) fn position(&self, p: usize, i: usize) -> (usize, usize) {
        let place = self.touched[p];
        (place.x as usize + i % PAGE, place.y as usize + i / PAGE)
    }

    /// The value of a cell.
    #[inline]
    pub(super) fn get(&self, x: usize, y: usize) -> T {
        match self.directory[(y / PAGE) * self.wide + x / PAGE] {
            0 => self.empty,
            p => self.cells[p as usize - 1][(y % PAGE) * PAGE + x % PAGE],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_values_until_they_are_forgotten_and_know_their_positions() {
        let mut pages = Pages::new(100, 70, 0u8);
        for (value, (x, y)) in [(0, 0), (31, 31), (32, 31), (99, 69)].into_iter().enumerate() {
            let (p, i) = pages.slot(x, y);
            pages.cells[p][i] = value as u8 + 1;
            assert_eq!(pages.position(p, i), (x, y));
            assert_eq!(pages.on_map(p), y / PAGE * 4 + x / PAGE);
        }
        assert_eq!((pages.get(31, 31), pages.get(99, 69), pages.get(50, 50)), (2, 4, 0));
        pages.forget();
        assert_eq!(pages.get(31, 31), 0);
        let (p, i) = pages.slot(0, 0);
        assert_eq!(pages.cells[p][i], 0);
    }
}
