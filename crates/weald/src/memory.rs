//! Available memory, so that what cannot fit is refused before any work.

use crate::error::{Error, Result};
use std::fs;

/// Bytes of memory that are still free, if the system can tell.
pub fn available() -> Option<u64> {
    if cfg!(target_arch = "wasm32") {
        // All of the address space but what the program itself and a picture need.
        return Some((4 << 30) - (512 << 20));
    }
    let free = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
    });
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = |max: &str, used: &str| Some(number(max)?.saturating_sub(number(used)?));
    let group = limit("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    [free, group].into_iter().flatten().min()
}

/// Fails if fewer than `needed` bytes are free: says what needs them and what to do.
pub fn check(needed: u64, what: &str, remedy: &str) -> Result<()> {
    match available() {
        Some(free) if needed > free => Err(Error::Memory(format!(
            "{what}: needs {needed} bytes ({}) of memory but only {free} ({}) are free; {remedy}",
            readable(needed),
            readable(free)
        ))),
        _ => Ok(()),
    }
}

/// A size for people, such as 12.5 GiB.
pub fn readable(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_readable() {
        assert_eq!(readable(1536), "1.5 KiB");
        assert_eq!(readable(u64::MAX), "16.0 EiB");
    }
}
