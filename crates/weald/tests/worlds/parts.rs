//! Worlds in tiles have the bits of the whole map.

use std::collections::BTreeMap;
use std::sync::Mutex;
use weald::core::tiled::{Tiles, Window};
use weald::core::{AnyGrid, Cells, Ctx, Grid};
use weald::job::InParts;
use weald::world::parts::{Keep, Merged, Parts, make_tile, merge_pass};
use weald::{Job, Result};

/// Keeps everything in memory.
struct Memory {
    tiles: Tiles,
    grids: Mutex<BTreeMap<&'static str, AnyGrid>>,
    summaries: Mutex<BTreeMap<(usize, usize), Vec<u8>>>,
    merged: Mutex<BTreeMap<usize, Merged>>,
}

impl Memory {
    fn new(tiles: Tiles) -> Self {
        let (grids, summaries) = (Mutex::default(), Mutex::default());
        Self { tiles, grids, summaries, merged: Mutex::default() }
    }
}

/// Directions are read back as bytes.
fn plain(cells: &Cells) -> AnyGrid {
    match cells {
        Cells::Dir(grid) => AnyGrid::U8(grid.map(|d| d.0)),
        other => other.to_owned(),
    }
}

fn paste(whole: &mut AnyGrid, window: Window, part: &AnyGrid) {
    fn rows<T: Copy>(whole: &mut Grid<T>, window: Window, part: &Grid<T>) {
        assert_eq!(part.shape(), window.shape());
        for y in 0..window.height {
            whole.row_mut(window.y + y)[window.x..window.x + window.width].copy_from_slice(part.row(y));
        }
    }
    match (whole, part) {
        (AnyGrid::F32(a), AnyGrid::F32(b)) => rows(a, window, b),
        (AnyGrid::U8(a), AnyGrid::U8(b)) => rows(a, window, b),
        (AnyGrid::U16(a), AnyGrid::U16(b)) => rows(a, window, b),
        (AnyGrid::U32(a), AnyGrid::U32(b)) => rows(a, window, b),
        (AnyGrid::I32(a), AnyGrid::I32(b)) => rows(a, window, b),
        _ => panic!("the tiles of a grid have one type"),
    }
}

impl Keep for Memory {
    fn put(&self, name: &'static str, k: usize, cells: &Cells, _: &Ctx) -> Result<()> {
        let ((w, h), grid) = (self.tiles.shape(), plain(cells));
        let empty = || match grid {
            AnyGrid::F32(_) => AnyGrid::F32(Grid::filled(w, h, 0.0)),
            AnyGrid::U8(_) | AnyGrid::Dir(_) => AnyGrid::U8(Grid::filled(w, h, 0)),
            AnyGrid::U16(_) => AnyGrid::U16(Grid::filled(w, h, 0)),
            AnyGrid::U32(_) => AnyGrid::U32(Grid::filled(w, h, 0)),
            AnyGrid::I32(_) => AnyGrid::I32(Grid::filled(w, h, 0)),
            AnyGrid::F64(_) => panic!("no layer has 64-bit floats"),
        };
        let mut grids = self.grids.lock().unwrap();
        paste(grids.entry(name).or_insert_with(empty), self.tiles.window(k), &grid);
        Ok(())
    }

    fn window(&self, name: &'static str, window: Window, _: &Ctx) -> Result<AnyGrid> {
        let (width, height) = self.tiles.shape();
        let all = Window { x: 0, y: 0, width, height };
        Ok(self.grids.lock().unwrap()[name].cells().crop(&all, window))
    }

    fn put_summary(&self, pass: usize, k: usize, summary: Vec<u8>) -> Result<()> {
        self.summaries.lock().unwrap().insert((pass, k), summary);
        Ok(())
    }

    fn summary(&self, pass: usize, k: usize) -> Result<Option<Vec<u8>>> {
        Ok(self.summaries.lock().unwrap().get(&(pass, k)).cloned())
    }

    fn put_merged(&self, pass: usize, merged: Merged) -> Result<()> {
        self.merged.lock().unwrap().insert(pass, merged);
        Ok(())
    }

    fn common(&self, pass: usize) -> Result<Vec<u8>> {
        Ok(self.merged.lock().unwrap()[&pass].common.clone())
    }

    fn share(&self, pass: usize, k: usize) -> Result<Vec<u8>> {
        Ok(self.merged.lock().unwrap()[&pass].shares[k].clone())
    }
}

/// The numbers from 0 to `count` in an order that depends on `seed`.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by_key(|&k| weald::core::Seed(seed).at(k as i64, 0));
    order
}

/// Makes all passes, the tiles in any order.
fn made(parts: &dyn Parts, seed: u64) -> Memory {
    let (keep, ctx) = (Memory::new(*parts.tiles()), Ctx::default());
    for pass in 0..parts.passes().len() {
        for k in shuffled(parts.tiles().count(), seed + pass as u64) {
            make_tile(parts, &keep, pass, k, &ctx).unwrap();
        }
        merge_pass(parts, &keep, pass, &ctx).unwrap();
    }
    keep
}

/// Compares every layer and figure of a job in tiles with those of the whole map.
fn assert_same(job: &Job, sides: &[usize]) {
    let mut whole = None;
    for &side in sides {
        let InParts { recipe, parts, .. } = job.in_parts(side).unwrap();
        let whole = whole.get_or_insert_with(|| Job::of(recipe).run(&Ctx::default()).unwrap().catalogue);
        let keep = made(parts.as_ref(), whole.seed ^ side as u64);
        let grids = keep.grids.lock().unwrap();
        assert!(!parts.layers().is_empty());
        for spec in parts.layers() {
            let layer = plain(&whole.layer(spec.name).unwrap().cells());
            assert!(layer == grids[spec.name], "{} in tiles of {side}", spec.name);
            assert_eq!(Cells::dtype(&layer.cells()), spec.dtype, "{}", spec.name);
        }
        for (name, figure) in keep.merged.lock().unwrap().values().flat_map(|m| &m.figures) {
            assert_eq!(Some(figure), whole.figures.get(name), "{name} in tiles of {side}");
        }
    }
}

#[test]
fn tiles_of_a_forest_have_the_bits_of_the_whole_map() {
    for seed in 0..3 {
        let job = Job::new("forest").unwrap().seed(seed).size((150 + 31 * seed as usize, 203));
        assert_same(&job, &[40, 64, 149]);
    }
    let tiny = Job::new("forest").unwrap().size((7, 5));
    assert_same(&tiny, &[1, 2, 3, 8]);
}

#[test]
fn tiles_of_the_endless_world_and_of_a_planet_have_the_bits_of_the_whole_map() {
    let endless = Job::new("endless").unwrap().set("at.x", -700).unwrap().set("mines.levels", 2).unwrap();
    assert_same(&endless.size((230, 170)), &[64, 100]);
    assert_same(&Job::new("planet").unwrap().seed(3).size(50), &[16, 33]);
}

#[test]
fn what_cannot_be_made_in_tiles_is_refused_and_what_is_left_out_is_said() {
    let message = |job: &Job| job.in_parts(64).err().unwrap().to_string();
    let forest = Job::new("forest").unwrap();
    assert!(forest.in_parts(64).unwrap().notes[0].contains("game_trails.seed_tiles_per_trail = 0"));
    let shaped = forest.clone().set("elevation.source", "shaped").unwrap();
    assert!(message(&shaped).contains("set elevation.source=noise"), "{}", message(&shaped));
    let city = Job::new("city").unwrap();
    assert!(message(&city).contains("city cannot be made in tiles"), "{}", message(&city));
}
