//! Builds: maps in tiles on a disk.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use weald::core::ctx::Watch;
use weald::core::tiled::Window;
use weald::core::{AnyGrid, Cells, Ctx};
use weald::job::build::{Build, Wish, Workers};
use weald::{Error, Job};

const ONE: Workers = Workers { tiles: 1, threads: 1 };

fn forest() -> Job {
    Job::new("forest").unwrap().seed(5).size((300, 230))
}

fn tiles_of(side: usize) -> Wish {
    Wish { tile: Some(side), ..Wish::default() }
}

/// The hash of every file of a store but those of `.weald`, by its path.
fn files(store: &Path) -> BTreeMap<String, String> {
    fn walk(root: &Path, folder: &Path, out: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != ".weald" {
                walk(root, &path, out);
            } else if path.is_file() {
                let hash = Sha256::digest(fs::read(&path).unwrap());
                out.insert(name, hash.iter().map(|b| format!("{b:02x}")).collect());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(store, store, &mut out);
    out
}

fn plain(cells: &Cells) -> AnyGrid {
    match cells {
        Cells::Dir(grid) => AnyGrid::U8(grid.map(|d| d.0)),
        other => other.to_owned(),
    }
}

#[test]
fn a_store_has_the_layers_and_figures_of_the_whole_map_and_nothing_that_was_only_handed_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.zarr");
    let build = Build::start(&forest(), &path, &tiles_of(96)).unwrap();
    build.run(ONE, &Ctx::default()).unwrap();
    let whole = Job::of(build.recipe().clone()).run(&Ctx::default()).unwrap().catalogue;
    let opened = Build::open(&path).unwrap();
    assert!(opened.is_finished());
    let all = Window { x: 0, y: 0, width: 300, height: 230 };
    for layer in &whole.layers {
        let read = opened.store().read(0, layer.name, all, &Ctx::default()).unwrap();
        assert!(read == plain(&layer.cells()), "{}", layer.name);
        // 300 cells need two halvings to fit into 96.
        let quarter = Window { width: 75, height: 58, ..all };
        opened.store().read(2, layer.name, quarter, &Ctx::default()).unwrap();
    }
    let figures: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join(".weald/figures.json")).unwrap()).unwrap();
    for (name, figure) in figures["figures"].as_object().unwrap() {
        assert_eq!(Some(figure), whole.figures.get(name), "{name}");
    }
    let private = fs::read_dir(path.join(".weald")).unwrap().map(|e| e.unwrap().file_name());
    let private: std::collections::BTreeSet<_> = private.collect();
    assert!(private.iter().eq(["build.json", "figures.json", "recipe.toml", "zarr.json"]));
}

/// Asks for a stop after so many reports, of which a pass makes one before its first tile.
struct Stopper {
    left: AtomicUsize,
    stop: AtomicBool,
}

impl Watch for Stopper {
    fn tick(&self, _: &'static str, _: usize, _: usize) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_build_that_is_stopped_anywhere_goes_on_to_the_same_bytes_with_any_workers() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let wish = tiles_of(100);
    Build::start(&forest(), &path("whole"), &wish).unwrap().run(ONE, &Ctx::default()).unwrap();
    let expected = files(&path("whole"));
    let workers = [(1, 2), (2, 1), (3, 2)].map(|(tiles, threads)| Workers { tiles, threads });
    for (stops, workers) in [2, 3, 9, 16].into_iter().zip(workers.into_iter().cycle()) {
        let name = format!("stopped-{stops}");
        loop {
            let watch = Stopper { left: AtomicUsize::new(stops), stop: AtomicBool::new(false) };
            let build = Build::start(&forest(), &path(&name), &wish).unwrap();
            match build.run(workers, &Ctx::new(&watch, &watch.stop)) {
                Ok(()) => break,
                Err(Error::Cancelled) => continue,
                Err(other) => panic!("{other}"),
            }
        }
        assert!(files(&path(&name)) == expected, "{stops}");
    }
}

#[test]
fn tiles_and_merges_by_hand_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, hand) = (folder.path().join("whole"), folder.path().join("hand"));
    Build::start(&forest(), &whole, &tiles_of(128)).unwrap().run(ONE, &Ctx::default()).unwrap();
    let build = Build::start(&forest(), &hand, &tiles_of(128)).unwrap();
    for pass in 0..build.parts().passes().len() {
        for k in build.open_tiles(pass).unwrap().into_iter().rev() {
            // As another process would.
            Build::open(&hand).unwrap().tile(pass, k, &Ctx::default()).unwrap();
        }
        assert!(build.open_tiles(pass).unwrap().is_empty());
        Build::open(&hand).unwrap().merge(pass, &Ctx::default()).unwrap();
    }
    build.run(ONE, &Ctx::default()).unwrap();
    assert!(files(&hand) == files(&whole));
}

#[test]
fn only_the_layers_that_are_asked_for_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.zarr");
    let layers = Some(vec!["water_class".to_owned(), "height".to_owned()]);
    let wish = Wish { layers, ..tiles_of(128) };
    Build::start(&forest(), &path, &wish).unwrap().run(ONE, &Ctx::default()).unwrap();
    let store = Build::open(&path).unwrap();
    let names: Vec<_> = store.store().head().layers.iter().map(|l| l.name.clone()).collect();
    assert_eq!(names, ["height", "water_class"]);
    assert!(!path.join("slope").exists());
    let wrong = Wish { layers: Some(vec!["hight".into()]), ..wish };
    let message = Build::start(&forest(), &folder.path().join("b"), &wrong).err().unwrap().to_string();
    assert!(
        message.starts_with("there is no layer hight in tiles; the layers are height, roughness"),
        "{message}"
    );
}

#[test]
fn what_does_not_fit_or_is_another_build_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.zarr");
    let message = |job: &Job, wish: &Wish| Build::start(job, &path, wish).err().unwrap().to_string();
    let scarce = Wish { memory: Some(1 << 20), ..tiles_of(1024) };
    let big = Job::new("forest").unwrap().size(5000);
    assert!(message(&big, &scarce).contains("of memory but only 1.0 MiB may be used; use smaller tiles"));
    assert!(message(&big, &tiles_of(1021)).contains("have no chunks"), "{}", message(&big, &tiles_of(1021)));
    let vast = Job::new("forest").unwrap().size(1 << 24);
    assert!(
        message(&vast, &tiles_of(4096)).contains("keep fewer with --layers"),
        "{}",
        message(&vast, &tiles_of(4096))
    );
    assert!(!path.exists());
    Build::start(&forest(), &path, &tiles_of(128)).unwrap();
    Build::start(&forest(), &path, &tiles_of(128)).unwrap();
    assert!(message(&forest().seed(6), &tiles_of(128)).contains("another recipe"));
    assert!(message(&forest(), &tiles_of(64)).contains("another tile, 128"));
}

#[test]
fn memory_decides_the_side_of_the_tiles_and_how_many_are_made_at_a_time() {
    let job = Job::new("forest").unwrap().size(20_000);
    let wish = |memory: u64| Wish { memory: Some(memory), ..Wish::default() };
    let large = Build::estimate(&job, &wish(8 << 30)).unwrap();
    let small = Build::estimate(&job, &wish(1 << 30)).unwrap();
    assert_eq!((large.tile, small.tile), (4096, 2048));
    assert!(small.bytes_per_tile <= 1 << 30);
    assert_eq!(Workers::of(2, 8 << 30, large.bytes_per_tile), Workers { tiles: 2, threads: 1 });
    assert_eq!(Workers::of(8, 8 << 30, large.bytes_per_tile), Workers { tiles: 3, threads: 2 });
    assert_eq!(Workers::of(2, 1 << 30, small.bytes_per_tile), Workers { tiles: 1, threads: 2 });
}
