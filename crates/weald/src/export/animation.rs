//! Animated pictures, as APNG.

use crate::png::{Colours, Picture, Pixel, chunk, end};
use std::io::{self, Write};

/// Writes an animated PNG file frame by frame, which repeats for ever. The bytes depend on the pixels alone.
///
/// After the first frame only the rectangle that differs from the frame before is written. Memory: one frame.
///
/// ```
/// use weald::export::Animation;
/// let mut file = Vec::new();
/// let mut animation = Animation::new(&mut file, (2, 1), 2, 10)?;
/// animation.push(&[0, 0, 0, 255, 255, 255])?;
/// animation.push(&[9, 9, 9, 255, 255, 255])?;
/// animation.finish()?;
/// assert!(file.starts_with(b"\x89PNG"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Animation<W: Write> {
    out: W,
    size: (usize, usize),
    /// Frames that are still to come.
    missing: usize,
    fps: u16,
    /// The number of the next chunk that has one.
    chunk: usize,
    /// The frame before, empty at first.
    before: Vec<u8>,
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

impl<W: Write> Animation<W> {
    /// Begins a file of that many frames of `size` = (width, height) pixels, each shown for 1/`fps` of a second.
    pub fn new(mut out: W, size: (usize, usize), frames: usize, fps: u16) -> io::Result<Self> {
        let count = u32::try_from(frames).ok().filter(|&n| n > 0);
        let count = count.ok_or_else(|| invalid("an animation has at least one frame"))?;
        Picture { size, pixel: Pixel::Rgb8 }.begin(&mut out, Colours::Srgb)?;
        // Zero plays are as many as one likes.
        out.write_all(&chunk(b"acTL", [count, 0].map(u32::to_be_bytes).as_flattened()))?;
        Ok(Self { out, size, missing: frames, fps, chunk: 0, before: Vec::new() })
    }

    /// Adds a frame: red, green, blue of each pixel, row after row. Fails if it has another size than the file, or if all frames
    /// are there.
    pub fn push(&mut self, rgb: &[u8]) -> io::Result<()> {
        let stride = 3 * self.size.0;
        if rgb.len() != stride * self.size.1 {
            return Err(invalid("the frames of an animation have one size"));
        }
        if self.missing == 0 {
            return Err(invalid("an animation has as many frames as were announced"));
        }
        let is_first = self.before.is_empty();
        let [x, y, width, height] = match is_first {
            true => [0, 0, self.size.0, self.size.1],
            false => changed(&self.before, rgb, self.size),
        };
        // Each frame is shown for 1/fps of a second, stays, and replaces what was there.
        let mut control = [self.chunk, width, height, x, y].map(|n| (n as u32).to_be_bytes()).concat();
        control.extend([1, self.fps].map(u16::to_be_bytes).as_flattened());
        control.extend([0, 0]);
        self.out.write_all(&chunk(b"fcTL", &control))?;
        self.chunk += 1;
        let (picture, first) = (Picture { size: (width, height), pixel: Pixel::Rgb8 }, self.chunk);
        let row = |k: usize, row: &mut [u8]| {
            row.copy_from_slice(&rgb[(y + k) * stride + 3 * x..][..3 * width]);
        };
        if is_first {
            picture.pixels(&mut self.out, |_| (*b"IDAT", Vec::new()), row)?;
        } else {
            let head = |k: usize| (*b"fdAT", ((first + k) as u32).to_be_bytes().to_vec());
            self.chunk += picture.pixels(&mut self.out, head, row)?;
        }
        self.missing -= 1;
        self.before.clear();
        self.before.extend_from_slice(rgb);
        Ok(())
    }

    /// Ends the file. Fails if there are fewer frames than were announced.
    pub fn finish(mut self) -> io::Result<()> {
        if self.missing > 0 {
            return Err(invalid("an animation has as many frames as were announced"));
        }
        end(&mut self.out)
    }
}

/// The smallest rectangle that holds every pixel that differs: left, top, width and height; one pixel if none does.
fn changed(before: &[u8], now: &[u8], (width, _): (usize, usize)) -> [usize; 4] {
    let stride = 3 * width;
    let rows = || before.chunks_exact(stride).zip(now.chunks_exact(stride)).enumerate();
    let mut differing = rows().filter(|(_, (a, b))| a != b).map(|(y, _)| y);
    let Some(top) = differing.next() else { return [0, 0, 1, 1] };
    let bottom = differing.next_back().unwrap_or(top);
    let (mut left, mut right) = (width - 1, 0);
    for (_, (a, b)) in rows().skip(top).take(bottom - top + 1) {
        let differs = |x: &usize| a[3 * x..3 * x + 3] != b[3 * x..3 * x + 3];
        left = (0..left).find(differs).unwrap_or(left);
        right = (right..width).rev().find(differs).unwrap_or(right);
    }
    [left, top, right + 1 - left, bottom + 1 - top]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of a file as a viewer shows them.
    fn shown(file: &[u8], (width, height): (usize, usize)) -> Vec<Vec<u8>> {
        let mut reader = ::png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let count = reader.info().animation_control.unwrap().num_frames;
        let mut canvas = vec![0; 3 * width * height];
        let mut part = vec![0; reader.output_buffer_size().unwrap()];
        (0..count)
            .map(|_| {
                let info = reader.next_frame(&mut part).unwrap();
                let control = *reader.info().frame_control().unwrap();
                let (w, x) = (3 * info.width as usize, 3 * control.x_offset as usize);
                for (row, y) in
                    part.chunks_exact(w).take(info.height as usize).zip(control.y_offset as usize..)
                {
                    canvas[3 * width * y + x..][..w].copy_from_slice(row);
                }
                canvas.clone()
            })
            .collect()
    }

    #[test]
    fn a_viewer_shows_every_frame_as_it_was_given_and_the_file_repeats_for_ever() {
        let (w, h) = (9, 7);
        let still: Vec<u8> = (0..3 * w * h).map(|i| (i * 7) as u8).collect();
        let with = |places: &[usize]| {
            let mut frame = still.clone();
            places.iter().for_each(|p| frame[*p] ^= 255);
            frame
        };
        let frames = [
            still.clone(),
            with(&[0]),
            with(&[0, 3 * w * h - 1]),
            still.clone(),
            still.clone(),
            with(&[3 * (4 * w + 5), 3 * (2 * w + 6)]),
        ];
        let file = || {
            let mut out = Vec::new();
            let mut animation = Animation::new(&mut out, (w, h), frames.len(), 12).unwrap();
            frames.iter().for_each(|f| animation.push(f).unwrap());
            animation.finish().unwrap();
            out
        };
        assert_eq!(shown(&file(), (w, h)), frames);
        assert_eq!(file(), file());
        let reader = ::png::Decoder::new(io::Cursor::new(file())).read_info().unwrap();
        let (info, control) = (reader.info(), reader.info().frame_control.unwrap());
        assert_eq!(info.animation_control.unwrap().num_plays, 0);
        assert_eq!((control.delay_num, control.delay_den), (1, 12));
    }

    #[test]
    fn only_what_changed_is_written() {
        let black = vec![0; 3 * 8 * 4];
        let mut dot = black.clone();
        dot[3 * (8 * 2 + 5) + 1] = 9;
        assert_eq!(changed(&black, &dot, (8, 4)), [5, 2, 1, 1]);
        dot[3 * (8 + 7)] = 1;
        assert_eq!(changed(&black, &dot, (8, 4)), [5, 1, 3, 2]);
        assert_eq!(changed(&black, &black, (8, 4)), [0, 0, 1, 1]);
    }

    #[test]
    fn a_file_with_too_few_frames_is_an_error() {
        let mut animation = Animation::new(Vec::new(), (1, 1), 2, 10).unwrap();
        animation.push(&[1, 2, 3]).unwrap();
        assert!(animation.finish().is_err());
    }
}
