//! Frames in time: a numbered series of pictures of a world that changes, and an animated picture of them.
//!
//! ```
//! use weald::job::frames::Times;
//! let times = Times::parse("0..1:0.25")?;
//! assert_eq!(times.iter().collect::<Vec<_>>(), [0.0, 0.25, 0.5, 0.75, 1.0]);
//! # Ok::<(), String>(())
//! ```

use super::Job;
use super::folder::{self, Choice, FolderPlan};
use crate::error::{Error, Result};
use crate::export::Animation;
use crate::export::atomic::{AtomicOutput, Existing, Form};
use crate::export::geojson::Geometry;
use crate::memory;
use crate::recipe::{Comments, Recipe};
use crate::render::{Image, Picture};
use crate::sink::Sink;
use crate::world::Phases;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use weald_core::Ctx;

/// The most frames of a series: their files have numbers of four digits.
pub const MOST_FRAMES: usize = 10_000;

/// The animated picture in the folder.
const ANIMATION: &str = "animation.png";

/// Evenly spaced times, in decimal numbers, so that 0.1 + 0.2 is 0.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The first time and the step, in units of the last decimal.
    first: i64,
    step: i64,
    /// Decimals.
    decimals: u32,
    count: usize,
}

impl Times {
    /// `FROM..TO` or `FROM..TO:STEP`, from FROM on, as far as steps do not go beyond TO. The step is 1 if it is not given; if TO is
    /// less than FROM it counts down. The error says what it must be.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let form = || {
            "must be FROM..TO or FROM..TO:STEP with decimal numbers, such as 0..60 or 0..5:0.25".to_owned()
        };
        let (from, rest) =
            text.split_once("..").filter(|(_, rest)| !rest.starts_with('.')).ok_or_else(form)?;
        let (to, step) = rest.split_once(':').map_or((rest, None), |(to, step)| (to, Some(step)));
        let number = |text: &str| decimal(text).ok_or_else(form);
        let (from, to) = (number(from)?, number(to)?);
        let step = step.map(number).transpose()?;
        let decimals = from.1.max(to.1).max(step.map_or(0, |s| s.1));
        let scaled = |(digits, own): (i64, u32)| i128::from(digits) * 10i128.pow(decimals - own);
        let (from, to) = (scaled(from), scaled(to));
        let one = if to < from { -1 } else { 1 };
        let step = step.map_or(one * 10i128.pow(decimals), scaled);
        if step == 0 {
            return Err("the step must not be 0; leave it out for a step of 1".into());
        }
        // Counting down, the sign of the step may be left out.
        let step = if one < 0 { -step.abs() } else { step };
        if step < 0 && from < to {
            return Err("the step must be above 0 to count up; or exchange FROM and TO".into());
        }
        let count = (to - from) / step + 1;
        if count > MOST_FRAMES as i128 {
            return Err(format!(
                "makes {count} frames, and a series has at most {MOST_FRAMES}; use a larger step"
            ));
        }
        Ok(Self { first: from as i64, step: step as i64, decimals, count: count as usize })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The times, in order.
    pub fn iter(&self) -> impl Iterator<Item = f64> + use<> {
        let Self { first, step, decimals, count } = *self;
        // A quotient of whole numbers below 2⁵³ is the float nearest to the decimal number; times are at most 10⁹.
        let unit = 10i64.pow(decimals) as f64;
        (0..count as i64).map(move |k| (first + k * step) as f64 / unit)
    }
}

/// A decimal number as its digits and the number of those after the point.
fn decimal(text: &str) -> Option<(i64, u32)> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    // At most ten digits before the point and six after it, so that no sum overflows.
    let good = all_digits(whole) && all_digits(part) && whole.len() <= 10 && part.len() <= 6;
    if !good || whole.len() + part.len() == 0 {
        return None;
    }
    format!("{whole}{part}").parse::<i64>().ok().map(|n| (sign * n, part.len() as u32))
}

/// A series of frames.
pub struct FramesPlan<'a> {
    /// The times of the frames.
    pub times: Times,
    /// Frames per second of the animated picture.
    pub fps: u16,
    /// What is written besides the pictures, of the world at the first time: layers with lines and points if there are any
    /// layers, and the world's own files.
    pub folder: FolderPlan<'a>,
}

/// What was made.
pub struct Frames {
    /// The recipe of the first frame.
    pub recipe: Recipe,
    /// Figures about the world at the first time.
    pub figures: Map<String, Value>,
    /// Notes about it.
    pub notes: Vec<String>,
    /// How many frames there are.
    pub count: usize,
    /// Width and height of each, in pixels.
    pub size: (usize, usize),
}

/// The first frame: what goes into the manifest.
struct First {
    recipe: Recipe,
    manifest: Value,
    figures: Map<String, Value>,
    notes: Vec<String>,
}

impl Job {
    /// Fails if the series cannot be made: the world does not change, a time is out of range, or memory is short.
    pub fn validate_frames(&self, times: &Times) -> Result<()> {
        // A range has no gaps.
        for time in times.iter().take(1).chain(times.iter().last()) {
            self.at_time(time)?.ready()?.check_memory()?;
        }
        Ok(())
    }

    /// Makes the world at each of the times and writes the folder: `frames/0000.png` and so on, an animated `animation.png`,
    /// `manifest.json` with the list of frames, and the recipe of the first one. It appears whole or not at all.
    ///
    /// All pictures have one size: where legends differ in length, the shorter sheets get more paper.
    pub fn save_frames(
        &self,
        target: &Path,
        existing: Existing,
        plan: &FramesPlan,
        ctx: &Ctx,
    ) -> Result<Frames> {
        self.validate_frames(&plan.times)?;
        let output = AtomicOutput::new(target, Form::Folder, existing)?;
        let dir = output.path();
        folder::make_dir(dir.join("frames"))?;
        let (first, sizes) = ctx.stage("frames", |c| self.write_frames(dir, plan, c))?;
        let size = sizes.iter().fold((0, 0), |most, s| (most.0.max(s.0), most.1.max(s.1)));
        ctx.stage("animation", |c| animate(dir, &sizes, size, plan.fps, c))?;
        folder::write_manifest(dir, first.manifest, &plan.folder, ctx)?;
        ctx.checkpoint()?;
        output.commit()?;
        let First { recipe, figures, notes, .. } = first;
        Ok(Frames { recipe, figures, notes, count: sizes.len(), size })
    }

    /// Writes the pictures one by one, and with the first one all that describes the world. Returns the sizes of the pictures.
    fn write_frames(&self, dir: &Path, plan: &FramesPlan, ctx: &Ctx) -> Result<(First, Vec<(usize, usize)>)> {
        let (mut first, mut sizes, quiet) = (None, Vec::new(), ctx.quiet());
        for (k, time) in plan.times.iter().enumerate() {
            let output = self.at_time(time)?.ready()?.run(&mut Phases::once(), &quiet)?;
            let Picture::Opaque(image) = output.draw(&output.recipe.draw, &quiet)? else {
                let message = "this view is transparent and has no frames; choose another with --view";
                return Err(Error::Invalid(message.into()));
            };
            write_png(&dir.join(file_of(k)), &image)?;
            sizes.push((image.width(), image.height()));
            if k == 0 {
                // The frame before, the new one and the part of it that is written, each raw and compressed.
                let bytes = 6 * 3 * (image.width() * image.height()) as u64;
                memory::check(bytes, "the animated picture", "use a smaller --px")?;
                first = Some(describe(&output, dir, plan, &quiet)?);
            }
            ctx.checkpoint()?;
            ctx.tick(k + 1, plan.times.count());
        }
        let first = first.ok_or_else(|| Error::Internal("a series without frames".into()))?;
        Ok((first, sizes))
    }
}

/// Writes the recipe, and layers and files of the first frame if they are wanted; gives the manifest.
fn describe(output: &super::Output, dir: &Path, plan: &FramesPlan, ctx: &Ctx) -> Result<First> {
    let (catalogue, folder) = (&output.catalogue, &plan.folder);
    let recipe = folder::folder_recipe(&output.recipe);
    folder::write_text(&dir.join("recipe.toml"), &recipe.to_toml(Comments::Meaning))?;
    let (mut layers, mut shapes) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
    if folder.layers != Choice::none() || folder.images != Choice::none() {
        layers = folder::write_layers(dir, catalogue, folder, ctx)?;
        shapes = [
            folder::write_features(dir, catalogue, Geometry::Lines, ctx)?,
            folder::write_features(dir, catalogue, Geometry::Points, ctx)?,
            folder::write_features(dir, catalogue, Geometry::Polygons, ctx)?,
        ];
    }
    let mut files = vec![json!({"file": ANIMATION, "about": "the frames as an animated picture"})];
    for file in &folder.files {
        let mut out = Sink::create(dir.join(file.name))?;
        output.write_file(file, &folder.options, &mut out, ctx)?;
        out.finish()?;
        files.push(json!({"file": file.name, "about": file.about}));
    }
    let mut manifest = folder::manifest(catalogue, files, layers, shapes);
    let entry = |(k, time): (usize, f64)| json!({"file": file_of(k), "time": time});
    manifest["frames"] = plan.times.iter().enumerate().map(entry).collect();
    manifest["frames_per_second"] = plan.fps.into();
    let (figures, notes) = (catalogue.figures.clone(), catalogue.notes.clone());
    Ok(First { recipe: output.recipe.clone(), manifest, figures, notes })
}

/// The file of a frame in the folder.
fn file_of(frame: usize) -> String {
    format!("frames/{frame:04}.png")
}

/// Reads the frames back one by one, brings them to one size and joins them to the animated picture.
fn animate(dir: &Path, sizes: &[(usize, usize)], size: (usize, usize), fps: u16, ctx: &Ctx) -> Result<()> {
    let frame = |k: usize| -> Result<Image> {
        ctx.checkpoint()?;
        let file = dir.join(file_of(k));
        let mut image = read_png(&file).map_err(|e| Error::io(&file, e))?;
        if sizes[k] != size {
            image = enlarged(&image, size);
            write_png(&file, &image)?;
        }
        Ok(image)
    };
    let mut out = Sink::create(dir.join(ANIMATION))?;
    let mut failed = None;
    out.with(|w| {
        let mut animation = Animation::new(w, size, sizes.len(), fps)?;
        for k in 0..sizes.len() {
            match frame(k) {
                Ok(image) => animation.push(image.bytes())?,
                Err(error) => {
                    failed = Some(error);
                    return Ok(());
                }
            }
            ctx.tick(k + 1, sizes.len());
        }
        animation.finish()
    })?;
    failed.map_or(Ok(()), Err)?;
    out.finish()
}

/// The picture on a larger sheet of the colour of its last corner.
fn enlarged(image: &Image, (width, height): (usize, usize)) -> Image {
    let paper = image.at(image.width() - 1, image.height() - 1);
    let mut bytes = Image::filled(width, height, paper).bytes().to_vec();
    for (row, of) in bytes.chunks_exact_mut(3 * width).zip(image.bytes().chunks_exact(3 * image.width())) {
        row[..of.len()].copy_from_slice(of);
    }
    Image::from_bytes(width, height, bytes)
}

fn write_png(path: &Path, image: &Image) -> Result<()> {
    let mut out = Sink::create(path)?;
    out.with(|w| image.write_png(w))?;
    out.finish()
}

/// A picture that [`write_png`] wrote.
fn read_png(path: &Path) -> std::io::Result<Image> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path)?)).read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut bytes)?;
    Ok(Image::from_bytes(info.width as usize, info.height as usize, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_decimals_with_both_ends_and_count_either_way() {
        let times = |text: &str| Times::parse(text).unwrap().iter().collect::<Vec<f64>>();
        assert_eq!(times("0..3"), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(times("3..1"), [3.0, 2.0, 1.0]);
        assert_eq!(times("-1..1"), [-1.0, 0.0, 1.0]);
        assert_eq!(times("0..0.5:0.1"), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(times("10..0:-2.5"), [10.0, 7.5, 5.0, 2.5, 0.0]);
        assert_eq!(times("10..0:2.5"), times("10..0:-2.5"));
        assert_eq!(times("0..1:0.3"), [0.0, 0.3, 0.6, 0.9]);
        assert_eq!(times("0..10:4"), [0.0, 4.0, 8.0]);
        assert_eq!(times("5..5"), [5.0]);
        assert_eq!(times(" .5..1.5 : 1 "), [0.5, 1.5]);
        assert_eq!(Times::parse("0..9999").unwrap().count(), MOST_FRAMES);
    }

    #[test]
    fn steps_of_nothing_or_of_the_wrong_sign_and_too_many_frames_are_refused() {
        for (text, message) in [
            ("5", "must be FROM..TO"),
            ("0..", "must be FROM..TO"),
            ("0..x", "must be FROM..TO"),
            ("0..1e3", "must be FROM..TO"),
            ("0..5:", "must be FROM..TO"),
            ("0..5:0", "must not be 0"),
            ("0..5:-1", "must be above 0 to count up"),
            ("0...3", "must be FROM..TO"),
            ("0..10000", "makes 10001 frames, and a series has at most 10000"),
            ("0..1:0.00001", "makes 100001 frames"),
        ] {
            let error = Times::parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_smaller_sheet_gets_more_paper() {
        let small = Image::from_bytes(2, 1, vec![1, 1, 1, 9, 9, 9]);
        let large = enlarged(&small, (3, 2));
        let colours: Vec<u8> = (0..6).map(|i| large.at(i % 3, i / 3)[0]).collect();
        assert_eq!(colours, [1, 9, 9, 9, 9, 9]);
    }
}
