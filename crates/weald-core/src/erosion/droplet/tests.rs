use super::walk::*;
use super::*;
use crate::ctx::Cancelled;
use crate::erosion::land::metres;
use crate::frame::Frame;
use crate::noise::gradient::{Fractal, NoiseShape, fractal};
use proptest::prelude::*;

/// The rules of [`droplet`] written plainly: one droplet after the other, one cell after the other.
struct Plain<'a> {
    land: Land,
    potential: &'a Grid<f32>,
    range: (i32, i32),
    seed: Seed,
    p: &'a Droplets,
    brush: Brush,
}

impl Plain<'_> {
    fn run(mut self) -> Land {
        for first in (0..self.p.count).step_by(self.p.batch as usize) {
            let frozen = self.land.height.clone();
            for number in first..(first + self.p.batch).min(self.p.count) {
                self.one(&frozen, number);
            }
        }
        self.land
    }

    fn start(&self, frozen: &Grid<i32>, number: u32) -> (f32, f32) {
        let (w, h) = (frozen.width() as f32, frozen.height() as f32);
        let mut place = (0.0, 0.0);
        for attempt in 0..16 {
            let bits = self.seed.at(number as i64, attempt);
            let share = |shift: u32| ((bits >> shift) % (1 << 24)) as f32 / 16_777_216.0;
            place = ((share(0) * (w - 1.0)).min(w - 1.001), (share(24) * (h - 1.0)).min(h - 1.001));
            let above = frozen[(place.0 as usize, place.1 as usize)] as i64 - self.range.0 as i64;
            let span = (self.range.1 as i64 - self.range.0 as i64).max(1) as f32;
            if ((bits >> 48) as f32) < 65_536.0 * (0.2 + 0.8 * above as f32 / span) {
                break;
            }
        }
        place
    }

    /// Height of the north-west corner in steps, height above it in metres, gradient in metres per cell.
    fn ground(frozen: &Grid<i32>, (x, y): (f32, f32)) -> (i32, f32, f32, f32) {
        let (i, j) = (x as usize, y as usize);
        let (fx, fy) = (x - i as f32, y - j as f32);
        let metres = |a: (usize, usize), b: (usize, usize)| (frozen[a] - frozen[b]) as f32 * METRE;
        let north = metres((i + 1, j), (i, j));
        let west = metres((i, j + 1), (i, j));
        let south = metres((i + 1, j + 1), (i, j + 1));
        let (top, bottom) = (north * fx, west + south * fx);
        let rest = top + (bottom - top) * fy;
        (frozen[(i, j)], rest, north + (south - north) * fy, west + (south - north) * fx)
    }

    /// The potential that is used at a cell: that of the centre of its block.
    fn zone(&self, x: usize, y: usize) -> f32 {
        let (w, h) = self.potential.shape();
        let mut block = 1;
        while block * 512 < w.max(h) {
            block *= 2;
        }
        let middle = |v: usize, side: usize| (v / block * block + block / 2).min(side - 1);
        self.potential[(middle(x, w), middle(y, h))]
    }

    fn one(&mut self, frozen: &Grid<i32>, number: u32) {
        let (p, cell_m) = (self.p, self.land.cell_m as f32);
        let (east, south) = ((frozen.width() - 1) as f32, (frozen.height() - 1) as f32);
        let (mut x, mut y) = self.start(frozen, number);
        let (mut dx, mut dy, mut speed2, mut water, mut load) = (0f32, 0f32, 0f32, 1f32, 0i32);
        let mut trail = Vec::new();
        loop {
            let (whole, rest, gx, gy) = Self::ground(frozen, (x, y));
            let steep = (gx * gx + gy * gy).sqrt();
            let pull = (1.0 - p.inertia) / steep.max(1e-12);
            let pull = if p.heading == Heading::Downhill { -pull } else { pull };
            (dx, dy) = (p.inertia * dx + pull * gx, p.inertia * dy + pull * gy);
            let length = (dx * dx + dy * dy).sqrt();
            (dx, dy) = (dx / length.max(1e-6), dy / length.max(1e-6));
            let to = (x + dx, y + dy);
            let dry = water < 0.01;
            let outside = to.0 < 0.0 || to.1 < 0.0 || to.0 >= east || to.1 >= south;
            if outside && !dry {
                self.land.exported += load as i64 * WHOLE as i64;
                return;
            }
            if dry || steep < p.min_slope * cell_m || length < 1e-6 || trail.len() >= p.max_steps as usize {
                break;
            }
            let (whole2, rest2, ..) = Self::ground(frozen, to);
            let fall = (whole - whole2) as f32 * METRE + (rest - rest2);
            let (fall, most) = match p.heading {
                Heading::Downhill => (fall, fall * QUANTA_PER_M),
                Heading::Uphill => (fall.abs(), 0.05 * QUANTA_PER_M),
            };
            let at = ((x + 0.5) as usize, (y + 0.5) as usize);
            let zone = self.zone(at.0, at.1);
            let (erosion, deposition) = match p.emphasis {
                Emphasis::Hills => (1.5 - zone, 0.5 + zone),
                Emphasis::Plains => (0.5 + zone, 1.0),
            };
            let slope = fall / cell_m;
            speed2 = (0.8 * speed2 + (1.0 - KEPT) / 0.1 * slope).max(0.0);
            let capacity =
                p.capacity * slope.max(0.002) * speed2.sqrt().max(0.05) * water * cell_m * QUANTA_PER_M;
            let quanta = if fall < 0.0 {
                ((-fall * QUANTA_PER_M + 0.5) as i32).min(load)
            } else if (load as f32) < capacity {
                -((((capacity - load as f32) * p.erosion_rate * erosion).min(most) + 0.5) as i32)
            } else {
                let room = fall.max(0.005 * cell_m) * QUANTA_PER_M;
                ((((load as f32 - capacity) * p.deposition_rate * deposition).min(room) + 0.5) as i32)
                    .min(load)
            };
            self.change(at, quanta);
            trail.push(at);
            load -= quanta;
            water *= 1.0 - p.evaporation_rate;
            if fall < 0.0 {
                if load == 0 {
                    return;
                }
                water *= 0.5;
            }
            (x, y) = to;
        }
        let last: Vec<_> = trail.into_iter().rev().take(64).collect();
        for (i, &at) in last.iter().enumerate() {
            let more = (i < load as usize % last.len()) as i32;
            self.change(at, load / last.len() as i32 + more);
        }
    }

    fn change(&mut self, (x, y): (usize, usize), quanta: i32) {
        let (w, h, r) = (self.land.height.width(), self.land.height.height(), self.brush.radius);
        let mut cells = self.brush.clipped(x, y, w, h);
        if x >= r && y >= r && x + r < w && y + r < h {
            cells = (0..=2 * r)
                .flat_map(|j| (0..=2 * r).map(move |i| (i, j)))
                .map(|(i, j)| (x + i - r, y + j - r, self.brush.rows[j][i]))
                .collect();
        }
        for (x, y, weight) in cells {
            self.land.height[(x, y)] += quanta * weight;
            self.land.eroded[(x, y)] -= quanta.min(0) * weight;
        }
    }
}

fn plain(land: Land, potential: &Grid<f32>, seed: Seed, p: &Droplets) -> Land {
    let cells = land.height.cells();
    let range = (*cells.iter().min().unwrap(), *cells.iter().max().unwrap());
    Plain { land, potential, range, seed, p, brush: Brush::new(p.brush_cells) }.run()
}

fn usual() -> Droplets {
    Droplets {
        count: 200,
        inertia: 0.1,
        erosion_rate: 0.5,
        deposition_rate: 0.3,
        evaporation_rate: 0.02,
        capacity: 4.0,
        min_slope: 0.0005,
        brush_cells: 3,
        max_steps: 1000,
        batch: 64,
        heading: Heading::Downhill,
        emphasis: Emphasis::Hills,
    }
}

/// Hills and some roughness, with slopes around 10 %.
fn hills(w: usize, h: usize, cell_m: f64, seed: u64) -> Grid<f32> {
    let of = |i: usize| {
        let (x, y) = ((i % w) as f64, (i / w) as f64);
        let rough = (Seed(seed).at(i as i64, 7) % 1000) as f64 * 1e-5;
        let slant = (seed % 7) as f64 * 0.01;
        let bumps = crate::math::sin(x * 0.31 + seed as f64) + crate::math::sin(y * 0.23 + x * 0.05);
        ((bumps * 0.3 + slant * x + rough) * cell_m) as f32
    };
    Grid::from_vec(w, h, (0..w * h).map(of).collect())
}

fn zones(w: usize, h: usize) -> Grid<f32> {
    Grid::from_vec(w, h, (0..w * h).map(|i| (i % 11) as f32 * 0.1).collect())
}

fn sum(grid: &Grid<i32>) -> i64 {
    grid.cells().iter().map(|&v| v as i64).sum()
}

fn any_droplets() -> impl Strategy<Value = Droplets> {
    (
        (0u32..150, 0f32..0.9, 0.05f32..1.0, 0.05f32..1.0, 0f32..0.2),
        (0.5f32..8.0, 0f32..0.02, 1u32..8, 0u32..300, 1u32..200),
        prop_oneof![Just(Heading::Downhill), Just(Heading::Uphill)],
        prop_oneof![Just(Emphasis::Hills), Just(Emphasis::Plains)],
    )
        .prop_map(|(a, b, heading, emphasis)| Droplets {
            count: a.0,
            inertia: a.1,
            erosion_rate: a.2,
            deposition_rate: a.3,
            evaporation_rate: a.4,
            capacity: b.0,
            min_slope: b.1,
            brush_cells: b.2,
            max_steps: b.3,
            batch: b.4,
            heading,
            emphasis,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn blocks_and_lanes_equal_the_rules_written_plainly_and_the_mass_balance_is_exact(
        (w, h) in prop_oneof![(2usize..12, 2usize..12), (2usize..90, 2usize..90)],
        seed in 0u64..1000,
        p in any_droplets(),
    ) {
        let ctx = Ctx::default();
        let cell_m = 1.0 + (seed % 40) as f64;
        let land = Land::new(&hills(w, h, cell_m, seed), cell_m, &ctx).unwrap();
        let after = droplet(land.clone(), &zones(w, h), Seed(seed), &p, &ctx).unwrap();
        let deposited = after.deposited(&ctx).unwrap();
        prop_assert_eq!(sum(&after.eroded), sum(&deposited) + after.exported);
        prop_assert_eq!(sum(&after.before), sum(&after.height) + after.exported);
        prop_assert!(after.eroded.cells().iter().chain(deposited.cells()).all(|&v| v >= 0));
        prop_assert!(after == plain(land, &zones(w, h), Seed(seed), &p), "the plain rules give another land");
    }
}

#[test]
fn potentials_of_long_maps_count_by_blocks() {
    let ctx = Ctx::default();
    let (w, h) = (1100, 9);
    let p = Droplets { count: 400, batch: 50, brush_cells: 2, ..usual() };
    let land = Land::new(&hills(w, h, 3.5, 4), 3.5, &ctx).unwrap();
    let after = droplet(land.clone(), &zones(w, h), Seed(9), &p, &ctx).unwrap();
    assert_ne!(after.height, land.height);
    assert!(after == plain(land, &zones(w, h), Seed(9), &p));
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_land() {
    let (ctx, p) = (Ctx::default(), Droplets { count: 3000, batch: 700, ..usual() });
    let land = Land::new(&hills(301, 203, 5.0, 3), 5.0, &ctx).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| droplet(land.clone(), &zones(301, 203), Seed(5), &p, &ctx).unwrap())
    };
    let one = run(1);
    assert_ne!(one.height, land.height);
    assert!(one == run(2) && one == run(7));
}

#[test]
fn a_droplet_on_a_plane_runs_straight_down_and_carries_its_load_over_the_edge() {
    let ctx = Ctx::default();
    let (w, h) = (90, 60);
    let plane = Grid::from_fn(w, h, |_, y| (h - y) as f32 * 0.5);
    for seed in 0..20 {
        let land = Land::new(&plane, 5.0, &ctx).unwrap();
        let p = Droplets { count: 1, ..usual() };
        let land = droplet(land, &Grid::filled(w, h, 0.5), Seed(seed), &p, &ctx).unwrap();
        let deposited = land.deposited(&ctx).unwrap();
        let changed: Vec<usize> =
            (0..w * h).filter(|&i| land.eroded.cells()[i] != 0 || deposited.cells()[i] != 0).collect();
        let columns = |i: &usize| i % w;
        let (west, east) =
            (changed.iter().map(columns).min().unwrap(), changed.iter().map(columns).max().unwrap());
        assert!(east - west <= 6, "it left its column: {west} to {east}");
        let rows: Vec<usize> = (0..h).filter(|y| changed.iter().any(|i| i / w == *y)).collect();
        assert_eq!(*rows.last().unwrap(), h - 1);
        assert_eq!(rows.len(), h - rows[0], "it jumped over a row");
        assert!(land.exported > 0);
        assert_eq!(sum(&land.before) - sum(&land.height), land.exported);
    }
}

#[test]
fn a_stopped_run_ends_with_cancelled() {
    struct Silent;
    impl crate::ctx::Watch for Silent {}
    let stop = std::sync::atomic::AtomicBool::new(true);
    let land = Land::new(&hills(30, 30, 5.0, 1), 5.0, &Ctx::default()).unwrap();
    let ctx = Ctx::new(&Silent, &stop);
    assert_eq!(droplet(land, &zones(30, 30), Seed(1), &usual(), &ctx), Err(Cancelled));
}

#[test]
fn water_never_wears_a_flat() {
    let ctx = Ctx::default();
    for min_slope in [0.0, 0.0005] {
        for heading in [Heading::Downhill, Heading::Uphill] {
            let land = Land::new(&Grid::filled(40, 30, 12.5), 5.0, &ctx).unwrap();
            let p = Droplets { min_slope, heading, ..usual() };
            assert_eq!(droplet(land.clone(), &zones(40, 30), Seed(1), &p, &ctx).unwrap(), land);
        }
    }
}

/// Noise with a mean slope of 10 %.
fn noise(n: usize, cell_m: f64) -> Grid<f32> {
    let shape = Fractal { wavelength_m: 4000.0, octaves: 6, persistence: 0.5, lacunarity: 2.0 };
    let frame = Frame::new(n, n, cell_m);
    let mut heights = fractal(&frame, Seed(11), NoiseShape::Fbm, &shape, &Ctx::default()).unwrap();
    let slope = |x: usize, y: usize, g: &Grid<f32>| {
        let (gx, gy) = (g[(x + 1, y)] - g[(x, y)], g[(x, y + 1)] - g[(x, y)]);
        (gx * gx + gy * gy).sqrt() / cell_m as f32
    };
    let cells = (0..n - 1).flat_map(|y| (0..n - 1).map(move |x| (x, y)));
    let mean = cells.map(|(x, y)| slope(x, y, &heights)).sum::<f32>() / ((n - 1) * (n - 1)) as f32;
    heights.cells_mut().iter_mut().for_each(|h| *h *= 0.1 / mean);
    heights
}

/// By how much a cell lies above its highest or below its lowest neighbour, in metres.
fn prominence(land: &Grid<i32>, x: usize, y: usize) -> f32 {
    let around = (y - 1..=y + 1).flat_map(|v| (x - 1..=x + 1).map(move |u| (u, v))).filter(|&c| c != (x, y));
    let (low, high) =
        around.fold((i32::MAX, i32::MIN), |(low, high), c| (low.min(land[c]), high.max(land[c])));
    metres((land[(x, y)] - high).max(low - land[(x, y)]))
}

#[test]
fn droplets_leave_fewer_pits_and_spikes_than_they_find_and_none_that_is_steep() {
    let (ctx, n, cell_m) = (Ctx::default(), 256, 28.0);
    let heights = noise(n, cell_m);
    let cells = || (1..n - 1).flat_map(|y| (1..n - 1).map(move |x| (x, y)));
    // 390 are 100,000 on 4096² cells; 100,000 are 256 times as many.
    for count in [390, 6_250, 25_000, 100_000] {
        let land = Land::new(&heights, cell_m, &ctx).unwrap();
        let p = Droplets { count, batch: 1024, ..usual() };
        let after = droplet(land, &Grid::filled(n, n, 0.6), Seed(1), &p, &ctx).unwrap();
        let beyond = |land: &Grid<i32>, share: f64| {
            cells().filter(|&(x, y)| prominence(land, x, y) as f64 > share * cell_m).count()
        };
        let (was, is) = (beyond(&after.before, 0.02), beyond(&after.height, 0.02));
        assert!(is <= was, "{count} droplets: {is} pits and spikes of more than 2 %, {was} before");
        assert_eq!(beyond(&after.height, 0.05), 0, "{count} droplets");
    }
}
