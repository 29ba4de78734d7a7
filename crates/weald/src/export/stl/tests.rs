//! Tests of the solid: closed, with the right volume, of the size that was asked for.

use super::*;
use std::collections::BTreeMap;

fn hills(columns: usize, rows: usize) -> Grid<f32> {
    let seed = weald_core::Seed(7);
    Grid::from_fn(columns, rows, |x, y| (seed.unit_at(x as i64, y as i64) * 90.0 - 30.0) as f32)
}

fn made(height: &Grid<f32>, cell_m: f64, options: &StlOptions) -> Result<(Vec<u8>, StlNumbers)> {
    let mut bytes = Vec::new();
    let numbers = write(&mut Sink::new("ground.stl", &mut bytes), height, cell_m, options, &Ctx::default())?;
    Ok((bytes, numbers))
}

/// The triangles of a file: the normal and three corners of each.
fn read(bytes: &[u8]) -> Vec<[Point; 4]> {
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    assert_eq!(bytes.len(), 84 + FACET * count);
    let point = |b: &[u8]| [0, 4, 8].map(|at| f32::from_le_bytes(b[at..at + 4].try_into().unwrap()));
    bytes[84..].chunks(FACET).map(|b| [0, 12, 24, 36].map(|at| point(&b[at..]))).collect()
}

fn across([_, a, b, c]: [Point; 4]) -> [f64; 3] {
    let side = |end: Point| [0, 1, 2].map(|k| end[k] as f64 - a[k] as f64);
    let (u, v) = (side(b), side(c));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// The volume by the theorem of Gauss: a sixth of the sum of a · (b − a) × (c − a).
fn volume(triangles: &[[Point; 4]]) -> f64 {
    let part = |t: &[Point; 4]| across(*t).iter().zip(t[1]).map(|(n, a)| n * a as f64).sum::<f64>();
    triangles.iter().map(part).sum::<f64>() / 6.0
}

#[test]
fn every_edge_belongs_to_two_triangles_in_opposite_directions_and_the_solid_has_no_handle() {
    for (columns, rows) in [(2, 2), (2, 3), (3, 5), (129, 257), (300, 200)] {
        let (bytes, numbers) = made(&hills(columns, rows), 10.0, &StlOptions::default()).unwrap();
        let triangles = read(&bytes);
        assert_eq!((numbers.triangles as usize, numbers.bytes), (triangles.len(), bytes.len() as u64));
        let mut edges = Vec::new();
        let mut vertices = Vec::new();
        for t in &triangles {
            let corners = [t[1], t[2], t[3]].map(|p| p.map(f32::to_bits));
            vertices.extend(corners);
            edges.extend([0, 1, 2].map(|k| (corners[k], corners[(k + 1) % 3])));
        }
        edges.sort_unstable();
        assert!(
            edges.windows(2).all(|pair| pair[0] != pair[1]),
            "{columns}x{rows}: an edge twice in one direction"
        );
        assert!(
            edges.iter().all(|&(a, b)| a != b && edges.binary_search(&(b, a)).is_ok()),
            "{columns}x{rows}"
        );
        vertices.sort_unstable();
        vertices.dedup();
        // Euler: vertices − edges + faces = 2.
        assert_eq!(vertices.len() + triangles.len(), edges.len() / 2 + 2, "{columns}x{rows}");
    }
}

#[test]
fn normals_have_length_one_point_outwards_and_only_the_surface_looks_up() {
    let (bytes, _) = made(&hills(40, 31), 10.0, &StlOptions::default()).unwrap();
    let triangles = read(&bytes);
    let mut kinds = BTreeMap::new();
    for (i, t) in triangles.iter().enumerate() {
        let (normal, across) = (t[0].map(f64::from), across(*t));
        let length = across.iter().map(|v| v * v).sum::<f64>().sqrt();
        for k in 0..3 {
            assert!((normal[k] - across[k] / length).abs() < 1e-6, "triangle {i}");
        }
        assert!((normal.iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-6, "triangle {i}");
        assert!(t.as_flattened().iter().all(|v| v.to_bits() != (-0.0f32).to_bits()), "triangle {i}");
        if i < 2 * 39 * 30 {
            assert!(normal[2] > 0.0, "triangle {i}");
        } else {
            *kinds.entry(normal.map(|v| v as i32)).or_insert(0) += 1;
        }
    }
    // West, south, base, north, east.
    let expected = [([-1, 0, 0], 60), ([0, -1, 0], 78), ([0, 0, -1], 138), ([0, 1, 0], 78), ([1, 0, 0], 60)];
    assert_eq!(kinds, expected.into());
}

#[test]
fn the_volume_of_a_slab_and_of_a_plane_is_the_analytic_one() {
    for (columns, rows) in [(2, 2), (3, 5), (129, 257)] {
        let options =
            StlOptions { size: StlSize::Scale(1000.0), exaggeration: 2.0, base_mm: 4.0, max_side: 1000 };
        // At 1:1000 a metre is a millimetre, and heights are doubled.
        let area = ((columns - 1) * (rows - 1)) as f64 * 25.0;
        let (bytes, numbers) = made(&Grid::filled(columns, rows, -12.5), 5.0, &options).unwrap();
        let found = volume(&read(&bytes));
        assert!((found / (area * 4.0) - 1.0).abs() < 1e-6, "{columns}x{rows}: {found}");
        assert_eq!(numbers.height_mm, 4.0);
        let plane = Grid::from_fn(columns, rows, |x, y| 3.0 * x as f32 - 0.5 * y as f32);
        let (bytes, numbers) = made(&plane, 5.0, &options).unwrap();
        let rise = 2.0 * (3.0 * (columns - 1) as f64 + 0.5 * (rows - 1) as f64);
        let (found, expected) = (volume(&read(&bytes)), area * (4.0 + 0.5 * rise));
        assert!((found / expected - 1.0).abs() < 1e-6, "{columns}x{rows}: {found}, not {expected}");
        assert_eq!(numbers.height_mm, 4.0 + rise);
    }
}

#[test]
fn east_is_x_north_is_y_and_the_base_lies_on_the_ground() {
    let mut height = Grid::filled(3, 4, 0.0f32);
    height[(2, 0)] = 8.0;
    let options = StlOptions { size: StlSize::WidthMm(20.0), base_mm: 1.0, ..StlOptions::default() };
    let (bytes, numbers) = made(&height, 4.0, &options).unwrap();
    let points: Vec<Point> = read(&bytes).iter().flat_map(|t| [t[1], t[2], t[3]]).collect();
    let highest = points.iter().copied().max_by(|a, b| a[2].total_cmp(&b[2])).unwrap();
    // 8 m of ground are 20 mm wide, so the north-eastern corner is 20 mm above its base.
    assert_eq!(highest, [20.0, 30.0, 21.0]);
    let least = [0, 1, 2].map(|k| points.iter().map(|p| p[k]).fold(f32::MAX, f32::min));
    assert_eq!(least, [0.0; 3]);
    assert_eq!((numbers.width_mm, numbers.depth_mm, numbers.height_mm), (20.0, 30.0, 21.0));
    assert_eq!(numbers.scale, 400.0);
}

#[test]
fn large_maps_are_averaged_and_the_numbers_say_so() {
    let height = hills(300, 200);
    let options = StlOptions { max_side: 75, ..StlOptions::default() };
    let (bytes, numbers) = made(&height, 10.0, &options).unwrap();
    assert_eq!((numbers.source, numbers.samples), ((300, 200), (75, 50)));
    assert_eq!(numbers.triangles, 2 * 74 * 49 + 6 * 123);
    // 74 cells of 40 m are 150 mm.
    assert!((numbers.scale - 74.0 * 40.0 / 0.15).abs() < 1e-6, "{}", numbers.scale);
    assert!((numbers.depth_mm - 150.0 * 49.0 / 74.0).abs() < 1e-9);
    let means = stats::block_means(&height, 4, &Ctx::default()).unwrap();
    let lowest = means.cells().iter().fold(f32::MAX, |a, &b| a.min(b));
    let expected = 3.0 + (means[(0, 0)] - lowest) as f64 * 1000.0 / numbers.scale;
    assert!((read(&bytes)[0][1][2] as f64 - expected).abs() < 1e-5, "{:?}, not {expected}", read(&bytes)[0]);
    // A narrow map keeps two samples across.
    let (_, narrow) = made(&hills(2, 900), 10.0, &options).unwrap();
    assert_eq!(narrow.samples, (2, 75));
    let (_, whole) = made(&hills(75, 20), 10.0, &options).unwrap();
    assert_eq!(whole.samples, whole.source);
}

#[test]
fn more_samples_than_cells_are_not_made_and_the_numbers_say_so() {
    let (_, numbers) =
        made(&hills(30, 20), 2.0, &StlOptions { max_side: 500, ..Default::default() }).unwrap();
    assert_eq!(numbers.samples, (30, 20));
    let note = |asked| samples_note((30, 20), (30, 20), asked);
    assert!(
        note(Some(500)).unwrap().starts_with("the map has 30x20 cells, and the print a sample for each; 500")
    );
    assert_eq!([note(Some(30)), note(None)], [None, None]);
    let fewer = samples_note((30, 20), (15, 10), Some(15)).unwrap();
    assert_eq!(fewer, "the ground was averaged from 30x20 to 15x10 samples");
}

#[test]
fn the_usual_limit_is_two_million_triangles() {
    let most = StlOptions::default().max_side;
    assert!(2 * (most - 1) * (most - 1) + 12 * (most - 1) < 2_020_000);
}

#[test]
fn the_header_is_not_that_of_a_text_file_and_threads_change_no_byte() {
    let height = hills(90, 70);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| made(&height, 3.7, &StlOptions { max_side: 33, ..StlOptions::default() }).unwrap().0)
    };
    let one = with(1);
    assert!(!one.starts_with(b"solid") && one[..80].is_ascii());
    assert!(one == with(2) && one == with(7));
}

#[test]
fn thin_maps_gaps_and_options_out_of_range_are_refused_with_the_reason() {
    let said = |height: &Grid<f32>, options: StlOptions| made(height, 1.0, &options).unwrap_err().to_string();
    let normal = StlOptions::default;
    assert_eq!(said(&hills(1, 9), normal()), "a mesh needs at least 2x2 samples, not 1x9; make a larger map");
    let gap = Grid::from_vec(2, 2, vec![1.0, 2.0, f32::NAN, 3.0]);
    assert!(said(&gap, normal()).starts_with("the height at column 0, row 1 is NaN"));
    let flat = Grid::filled(4, 4, 0.0);
    for (options, message) in [
        (
            StlOptions { size: StlSize::WidthMm(0.0), ..normal() },
            "--width-mm 0: a print takes 1 to 10000; give a number between them",
        ),
        (
            StlOptions { size: StlSize::Scale(f64::NAN), ..normal() },
            "--scale NaN: a print takes 1 to 1000000000; give a number between them",
        ),
        (
            StlOptions { exaggeration: -1.0, ..normal() },
            "--exaggeration -1: a print takes 0.01 to 1000; give a number between them",
        ),
        (
            StlOptions { base_mm: 0.0, ..normal() },
            "base_mm 0: a print takes 0.1 to 1000; give a number between them",
        ),
        (
            StlOptions { max_side: 1, ..normal() },
            "--samples 1: a print takes 2 to 20000; give a number between them",
        ),
    ] {
        assert_eq!(said(&flat, options), message);
    }
}

#[test]
fn a_stopped_run_ends_with_cancelled() {
    struct Silent;
    impl weald_core::ctx::Watch for Silent {}
    let stop = std::sync::atomic::AtomicBool::new(true);
    let (mut bytes, height) = (Vec::new(), hills(20, 20));
    let mut sink = Sink::new("ground.stl", &mut bytes);
    let end = write(&mut sink, &height, 1.0, &StlOptions::default(), &Ctx::new(&Silent, &stop));
    assert!(matches!(end, Err(Error::Cancelled)));
}
