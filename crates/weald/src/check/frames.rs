//! The rule about series of frames in time: pictures and the animated picture, as the manifest lists them.

use super::folder::Folder;
use super::{RuleInfo, RuleResult};
use std::io::Read;
use std::path::{Component, Path};

/// The rule.
pub(super) const RULE: RuleInfo = RuleInfo {
    name: "frames",
    about: "a series of frames has a picture for each time, in order and all of one size, and animation.png holds as many",
};

/// What the head of a PNG file says.
#[derive(Clone, Copy, PartialEq)]
struct Head {
    size: (u32, u32),
    /// Number of frames of an animated picture, 0 for a still one.
    frames: u32,
}

/// Checks the frames that the manifest lists; `None` if the folder holds no series.
pub(super) fn check(folder: &Folder) -> Option<RuleResult> {
    let list = folder.manifest["frames"].as_array()?;
    let mut rule = RULE.result();
    let animation = head(&folder.dir, "animation.png");
    let counted = animation.is_some_and(|a| a.frames as usize == list.len());
    rule.check(counted, None, || format!("animation.png does not hold {} frames", list.len()));
    let times: Vec<f64> = list.iter().map(|f| f["time"].as_f64().unwrap_or(f64::NAN)).collect();
    for (i, frame) in list.iter().enumerate() {
        let file = frame["file"].as_str().unwrap_or("");
        let found = head(&folder.dir, file);
        let same = found.is_some_and(|f| f.frames == 0 && animation.is_some_and(|a| a.size == f.size));
        // All steps go the way of the first one.
        let onwards = match i {
            0 => times[0].is_finite(),
            _ => (times[i] - times[i - 1]) * (times[1] - times[0]) > 0.0,
        };
        rule.check(same && onwards, None, || match found {
            None => format!("{file:?} is not a picture in the folder"),
            Some(_) if same => format!("{file}: its time {} is not in order", times[i]),
            Some(f) => {
                format!("{file}: {}x{} pixels are not the size of animation.png", f.size.0, f.size.1)
            }
        });
    }
    Some(rule)
}

/// Reads the chunks before the pixels of a PNG file in the folder.
fn head(dir: &Path, file: &str) -> Option<Head> {
    if !Path::new(file).components().all(|c| matches!(c, Component::Normal(_))) {
        return None;
    }
    let mut input = super::open(&dir.join(file)).ok()?;
    let mut start = [0; 8];
    input.read_exact(&mut start).ok()?;
    if start != *b"\x89PNG\r\n\x1a\n" {
        return None;
    }
    let mut head = Head { size: (0, 0), frames: 0 };
    loop {
        let mut name = [0; 8];
        input.read_exact(&mut name).ok()?;
        let number = |bytes: &[u8]| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let (length, name) = (number(&name), &name[4..]);
        match name {
            b"IDAT" => return (head.size.0 > 0).then_some(head),
            _ if length > 1 << 20 => return None,
            _ => {}
        }
        // The contents and their checksum.
        let mut contents = vec![0; length as usize + 4];
        input.read_exact(&mut contents).ok()?;
        match name {
            b"IHDR" if length >= 8 => head.size = (number(&contents), number(&contents[4..])),
            b"acTL" if length >= 8 => head.frames = number(&contents),
            _ => {}
        }
    }
}
