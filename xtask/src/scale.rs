//! Maps larger than memory: time and memory of `weald build`.

use crate::run::{Outcome, cargo, command, target};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A world, the layers that are kept, and the side of the map.
struct Case {
    world: &'static str,
    layers: &'static str,
    side: usize,
    tile: usize,
}

/// The forest's land and water.
const LAND_AND_WATER: &str = "height,slope,landform,flow_direction,flow_accumulation,lake_mask,lake_id,stream_mask,\
                              water_distance,moisture,water_class";

const CASES: &[Case] = &[
    Case { world: "forest", layers: LAND_AND_WATER, side: 32768, tile: 2048 },
    Case { world: "endless", layers: "height,surface", side: 16384, tile: 2048 },
];

/// Side of the map that is made as a whole beside it, to compare seconds a cell.
const WHOLE: usize = 4096;
/// Seconds a cell that a map in tiles may take, relative to the whole map.
const MOST_TIME: f64 = 1.3;
/// Memory that a build may take.
const MOST_GIB: f64 = 6.0;

/// Prints seconds a cell and memory of large builds beside those of whole maps.
pub(crate) fn bench() -> Outcome {
    cargo(&["build", "--release", "--quiet", "-p", "weald-cli"])?;
    let folder = target().join("scale");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    println!(
        "| world | side | ns a cell | as a whole at {WHOLE} | ratio (at most {MOST_TIME}) | GiB (at most {MOST_GIB}) | store |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for case in CASES {
        let whole = whole(case, &folder)?;
        let store = folder.join("world.zarr");
        let _ = fs::remove_dir_all(&store);
        let (side, tile) = (case.side.to_string(), case.tile.to_string());
        let path = store.to_string_lossy();
        let args = [
            "build",
            case.world,
            "--seed",
            "42",
            "--size",
            &side,
            "--tile",
            &tile,
            "--memory",
            "5GiB",
            "--layers",
            case.layers,
            "--quiet",
            "-o",
            &path,
        ];
        let (seconds, bytes) = measured(&args)?;
        let (ns, gib) = (1e9 * seconds / (case.side * case.side) as f64, bytes as f64 / (1u64 << 30) as f64);
        let stored = size_of(&store) as f64 / (1u64 << 30) as f64;
        let (world, ratio) = (case.world, ns / whole);
        println!("| {world} | {side} | {ns:.0} | {whole:.0} | {ratio:.2} | {gib:.2} | {stored:.1} GiB |");
        fs::remove_dir_all(&store).map_err(|e| e.to_string())?;
        if gib > MOST_GIB {
            return Err(format!("{world}: {gib:.2} GiB of memory are more than {MOST_GIB}"));
        }
    }
    Ok(())
}

/// Nanoseconds a cell of the whole map with the same layers, written too; the better of two runs.
fn whole(case: &Case, folder: &Path) -> Result<f64, String> {
    let out = folder.join("whole");
    let (side, path) = (WHOLE.to_string(), out.to_string_lossy());
    let args = [
        "generate",
        case.world,
        "--seed",
        "42",
        "--size",
        &side,
        "--layers",
        case.layers,
        "--files",
        "none",
        "--force",
        "--quiet",
        "-o",
        &path,
    ];
    let (first, second) = (measured(&args)?.0, measured(&args)?.0);
    fs::remove_dir_all(&out).map_err(|e| e.to_string())?;
    Ok(1e9 * first.min(second) / (WHOLE * WHOLE) as f64)
}

#[expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]
fn now() -> Instant {
    Instant::now()
}

/// Seconds and the largest memory of a run of the program.
fn measured(args: &[&str]) -> Result<(f64, u64), String> {
    let program = target().join("release/weald");
    let start = now();
    let mut child = command(&program.to_string_lossy(), args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut most = 0;
    let status = loop {
        most = most.max(memory(&child));
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        sleep(Duration::from_millis(20));
    };
    let seconds = (now() - start).as_secs_f64();
    match status.success() {
        true => Ok((seconds, most)),
        false => Err(format!("weald {}: failed ({status})", args.join(" "))),
    }
}

/// The largest memory that a running program has had, if the system tells.
fn memory(child: &Child) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}

/// Bytes of all files of a folder.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|e| if e.path().is_dir() { size_of(&e.path()) } else { e.metadata().map_or(0, |m| m.len()) })
        .sum()
}
