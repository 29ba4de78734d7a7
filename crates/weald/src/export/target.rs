//! Targets: the formats of other programs, each with its files and who reads them.
//!
//! A target is one line of [`TARGETS`]: its name, what it needs of a world, and the function that writes it. Commands, help and
//! documentation loop over that list.

use super::chart::{self, ChartOptions};
use super::sidecar::Sidecar;
use super::{
    cs2, exr, geotiff, gltf, godot, gpkg, luanti, minecraft, r16, stl, tiled, unity, unreal, vectors, zarr,
};
use crate::catalogue::Catalogue;
use crate::error::{Error, Result};
use crate::files;
use crate::georeference::{CrsUnit, GeoReference};
use crate::style::chart::ChartStyle;
use crate::style::exports::{Exports, GroundSpec};
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use weald_core::{Ctx, Frame, Grid, par, stats};

/// A format of another program.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is written, in one sentence.
    pub about: &'static str,
    /// The files, with NAME for that of the map.
    pub files: &'static str,
    /// The programs that read it.
    pub readers: &'static str,
    /// What a world must have.
    pub needs: Needs,
    /// The options that concern it.
    pub takes: &'static [TargetOption],
    /// Fails for values of options that it can have for no map.
    pub validate: Option<fn(&ExportOptions) -> Result<()>>,
    /// How it is written.
    pub form: Form,
}

/// What a target needs of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing but a result.
    Nothing,
    /// Heights above a plane.
    Ground,
    /// A vector map.
    Chart,
    /// Tiles.
    Tiles,
}

impl Needs {
    /// What it is, in words.
    pub fn name(self) -> &'static str {
        match self {
            Needs::Nothing => "result",
            Needs::Ground => "ground of heights above a plane",
            Needs::Chart => "vector map",
            Needs::Tiles => "map of tiles",
        }
    }
}

/// Writes a target: the source, the file or folder to write, and the context.
pub type WriteTarget = fn(&Source, &Path, &Ctx) -> Result<Delivered>;

/// How a target is written.
#[derive(Clone, Copy)]
pub enum Form {
    /// One file with that ending, and a sidecar beside it.
    File(&'static str, WriteTarget),
    /// A folder that programs open as one thing, with that ending, and a sidecar beside it.
    Store(&'static str, WriteTarget),
    /// Several files in a folder that exists and is empty.
    Folder(WriteTarget),
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Target {
    /// The target called `name`.
    pub fn find(name: &str) -> Option<&'static Target> {
        TARGETS.iter().copied().find(|t| t.name == name)
    }

    /// The target of a single file or store whose name ends in `.ending`.
    pub fn of_ending(ending: &str) -> Option<&'static Target> {
        TARGETS.iter().copied().find(|t| t.ending() == Some(ending))
    }

    /// Whether it is one file.
    pub fn is_file(&self) -> bool {
        matches!(self.form, Form::File(..))
    }

    /// The ending of its file or store, without the dot; none for a folder of several files.
    pub fn ending(&self) -> Option<&'static str> {
        match self.form {
            Form::File(ending, _) | Form::Store(ending, _) => Some(ending),
            Form::Folder(_) => None,
        }
    }

    /// Whether a world with these exports has what the target needs.
    pub fn fits(&self, exports: &Exports) -> bool {
        match self.needs {
            Needs::Nothing => true,
            Needs::Ground => exports.ground.is_some(),
            Needs::Chart => exports.chart.is_some(),
            Needs::Tiles => exports.tiles.is_some(),
        }
    }

    /// Writes the target into the folder `dir`, which exists and is empty: its files, and the sidecar `NAME.terrain.json`.
    pub fn write(&self, source: &Source, dir: &Path, ctx: &Ctx) -> Result<Delivered> {
        let mut delivered = match self.form {
            Form::File(ending, write) | Form::Store(ending, write) => {
                let name = format!("{}.{ending}", source.stem);
                let mut delivered = write(source, &dir.join(&name), ctx)?;
                delivered.sidecar.files = vec![name.clone()];
                delivered.files.insert(0, (name, self.about.to_owned()));
                delivered
            }
            Form::Folder(write) => write(source, dir, ctx)?,
        };
        let name = format!("{}.terrain.json", source.stem);
        let json = delivered.sidecar.to_json(self.name, source, &delivered.numbers);
        let path = dir.join(&name);
        files::write(&path, format!("{json:#}\n")).map_err(|e| Error::io(&path, e))?;
        delivered.files.push((name, "registration, scale and zero of the other files".into()));
        Ok(delivered)
    }

    /// The file that is written beside `path` if the target is written there alone, because its values mean nothing without it.
    pub fn sidecar_beside(&self, path: &Path) -> Option<PathBuf> {
        let scaled = self.is_file() && self.takes.contains(&TargetOption::HeightScale);
        scaled.then(|| path.with_extension("terrain.json"))
    }

    /// Writes the file or store of the target alone, at `path`.
    pub fn write_alone(&self, source: &Source, path: &Path, ctx: &Ctx) -> Result<Delivered> {
        match self.form {
            Form::File(_, write) | Form::Store(_, write) => write(source, path, ctx),
            Form::Folder(_) => Err(Error::Internal(format!("the target {} is no single file", self.name))),
        }
    }
}

/// What an export is made from.
pub struct Source<'a> {
    /// The world's result.
    pub catalogue: &'a Catalogue,
    /// What the world declares for exports.
    pub exports: &'a Exports,
    /// How it is to be written.
    pub options: &'a ExportOptions,
    /// The name of files without their ending.
    pub stem: &'a str,
    /// Makes the picture of the map, without a frame, as PNG with at most so many pixels along a side.
    pub picture: &'a Picture<'a>,
    /// Where the map comes from, for sidecars: version, world, seed, hash of the recipe.
    pub origin: Value,
}

/// Makes the picture of a map for textures.
pub type Picture<'a> = dyn Fn(usize, &Ctx) -> Result<Vec<u8>> + Sync + 'a;

/// How targets are written. What does not concern a target is ignored by it; [`ExportOptions::validate`] finds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportOptions {
    /// Samples along a side, for programs that take certain sizes only.
    pub samples: Option<usize>,
    /// Scale, paper, contours and course of vector maps.
    pub chart: ChartOptions,
    /// Clip heights that do not fit instead of refusing them.
    pub clip: bool,
    /// Times by which heights are exaggerated in prints.
    pub exaggeration: Option<f64>,
    /// Width of prints in millimetres; without it and without a scale 150 mm.
    pub width_mm: Option<f64>,
    /// Height of white above black in metres, for games that ask for it.
    pub height_scale_m: Option<f64>,
}

/// An option of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetOption {
    /// [`ExportOptions::samples`].
    Samples,
    /// The scale of [`ExportOptions::chart`].
    Scale,
    /// The paper of [`ExportOptions::chart`].
    Paper,
    /// The contour interval of [`ExportOptions::chart`].
    Contour,
    /// [`ExportOptions::clip`].
    Clip,
    /// [`ExportOptions::height_scale_m`].
    HeightScale,
    /// [`ExportOptions::exaggeration`].
    Exaggeration,
    /// [`ExportOptions::width_mm`].
    Width,
}

impl TargetOption {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TargetOption::Samples => "--samples",
            TargetOption::Scale => "--scale",
            TargetOption::Paper => "--paper",
            TargetOption::Contour => "--contour-m",
            TargetOption::Clip => "--clip",
            TargetOption::HeightScale => "--height-scale",
            TargetOption::Exaggeration => "--exaggeration",
            TargetOption::Width => "--width-mm",
        }
    }
}

impl ExportOptions {
    /// The options that are set.
    pub fn given(&self) -> impl Iterator<Item = TargetOption> + use<> {
        let given = [
            (TargetOption::Samples, self.samples.is_some()),
            (TargetOption::Scale, self.chart.scale.is_some()),
            (TargetOption::Paper, self.chart.paper.is_some()),
            (TargetOption::Contour, self.chart.interval_m.is_some()),
            (TargetOption::Clip, self.clip),
            (TargetOption::HeightScale, self.height_scale_m.is_some()),
            (TargetOption::Exaggeration, self.exaggeration.is_some()),
            (TargetOption::Width, self.width_mm.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(option, _)| option)
    }

    /// Fails if an option is set that none of the targets takes, or to a value that one of them can have for no map: before a world is made.
    pub fn validate(&self, targets: &[&Target]) -> Result<()> {
        let takes = |option, target: &&Target| target.takes.contains(&option);
        if let Some(option) = self.given().find(|option| !targets.iter().any(|t| takes(*option, t))) {
            let names = |list: &mut dyn Iterator<Item = &&Target>| {
                list.map(|t| t.name).collect::<Vec<_>>().join(", ")
            };
            return Err(Error::Invalid(format!(
                "{}: is not for {}; it is for {}; leave it out",
                option.name(),
                names(&mut targets.iter()),
                names(&mut TARGETS.iter().filter(|t| takes(option, t)))
            )));
        }
        targets.iter().filter_map(|t| t.validate).try_for_each(|validate| validate(self))
    }
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Delivered {
    /// Files by their paths in the folder, each with what it is.
    pub files: Vec<(String, String)>,
    /// The numbers to type into the program, and what else its user must know, a line each.
    pub numbers: Vec<String>,
    /// What the sidecar says.
    pub sidecar: Sidecar,
}

/// Heights in metres on square cells.
#[derive(Clone, Debug)]
pub struct Heights {
    /// Metres above the sea at the centres of the cells, rows from the north.
    pub height: Grid<f32>,
    /// Side of a cell in metres.
    pub cell_m: f64,
}

impl Heights {
    /// The lowest and the highest height.
    pub fn range_m(&self, ctx: &Ctx) -> Result<Option<(f64, f64)>> {
        let range = stats::min_max(&self.height, &ctx.quiet())?;
        Ok(range.map(|(low, high)| (f64::from(low), f64::from(high))))
    }
}

impl Source<'_> {
    /// What the world says of its ground.
    pub fn ground(&self) -> Result<GroundSpec> {
        let none = || Error::Internal(format!("the world {} has no ground", self.catalogue.world));
        self.exports.ground.ok_or_else(none)
    }

    /// The heights in metres.
    pub fn heights(&self, ctx: &Ctx) -> Result<Heights> {
        let spec = self.ground()?;
        let cells = self.catalogue.cells(spec.height)?;
        let (width, height) = cells.shape();
        let (zero, one) = self.metres_of(&spec);
        let metres = par::fill(width, height, &ctx.quiet(), |y, row: &mut [f32]| {
            for (x, out) in row.iter_mut().enumerate() {
                *out = (zero + cells.at(x, y) * (one - zero)) as f32;
            }
        })?;
        Ok(Heights { height: metres, cell_m: self.cell_m(&spec) })
    }

    /// Metres at the heights 0 and 1.
    fn metres_of(&self, spec: &GroundSpec) -> (f64, f64) {
        self.catalogue.heights_m.unwrap_or((0.0, spec.metres_per_height))
    }

    /// The style of a vector map in the metres of this map, which a world without a scale of its own only assumes. What it assumes is said on
    /// the sheet.
    pub(super) fn in_metres(&self, mut style: ChartStyle) -> Result<ChartStyle> {
        let spec = self.ground()?;
        style.metres_per_unit = self.cell_m(&spec) / self.catalogue.frame.cell_m;
        if let (Some(contours), Some((zero, one))) = (&mut style.contours, self.catalogue.heights_m) {
            contours.metres_per_unit = one - zero;
            contours.zero = -zero / (one - zero);
        }
        if !spec.length_note.is_empty() {
            style.credits.extend(self.notes());
        }
        Ok(style)
    }

    /// Side of a cell in metres: by the place on the Earth if that is known and the frame is not in metres itself.
    pub(super) fn cell_m(&self, spec: &GroundSpec) -> f64 {
        let frame = &self.catalogue.frame;
        match self.catalogue.georeference {
            Some(place) if spec.metres_per_unit != 1.0 => place.cell_m(frame.height).0,
            _ => frame.cell_m * spec.metres_per_unit,
        }
    }

    /// Where the map lies: on the Earth if that is known, otherwise in plane metres of its frame, y north, without a coordinate reference
    /// system. A world without ground is measured in cells from the corner of the map, as its points are.
    pub fn place(&self) -> GeoReference {
        self.catalogue.georeference.unwrap_or_else(|| plane_place(&self.catalogue.frame, self.exports))
    }

    /// The unit of the coordinates of [`Source::place`], in words for more than one.
    pub fn unit(&self) -> &'static str {
        match (self.catalogue.georeference, self.exports.ground) {
            (Some(place), _) => place.unit.plural(),
            (None, Some(_)) => CrsUnit::Metre.plural(),
            (None, None) => "cells",
        }
    }

    /// What users must know of the metres, if anything.
    pub fn note(&self) -> Option<String> {
        let said: Vec<&str> = self.notes().collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// What the world assumes of its metres, unless the map that it was made from tells them.
    fn notes(&self) -> impl Iterator<Item = &'static str> {
        let Catalogue { georeference, heights_m, .. } = self.catalogue;
        let ground = self.exports.ground;
        let length = ground.filter(|_| georeference.is_none()).map_or("", |g| g.length_note);
        let height = ground.filter(|_| heights_m.is_none()).map_or("", |g| g.height_note);
        [length, height].into_iter().filter(|note| !note.is_empty())
    }
}

/// Where a map lies of which the place on the Earth is not known: see [`Source::place`].
pub fn plane_place(frame: &Frame, exports: &Exports) -> GeoReference {
    let (origin, step) = match exports.ground {
        Some(ground) => {
            let metres = ground.metres_per_unit;
            ((frame.origin.0 * metres, frame.origin.1 * metres), frame.cell_m * metres)
        }
        None => ((0.0, 0.0), 1.0),
    };
    // Adding 0 turns −0 into 0.
    let (west, north) = (origin.0, -origin.1 + 0.0);
    GeoReference { epsg: None, unit: CrsUnit::Metre, west, north, step: (step, step) }
}

/// All targets, in the order in which they are listed.
pub static TARGETS: &[&Target] = &[
    &geotiff::TARGET,
    &gpkg::TARGET,
    &vectors::TARGET,
    &zarr::TARGET,
    &r16::TARGET,
    &exr::TARGET,
    &unity::TARGET,
    &unreal::TARGET,
    &godot::TARGET,
    &gltf::TARGET,
    &stl::TARGET,
    &minecraft::TARGET,
    &luanti::TARGET,
    &tiled::TARGET,
    &chart::OMAP,
    &chart::SVG,
    &chart::PDF,
    &cs2::TARGET,
];
