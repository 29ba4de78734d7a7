//! Debug pictures: every layer of a world, and every intermediate.

use crate::catalogue::{Catalogue, Layer, LayerSpec, Palette};
use crate::error::Result;
use crate::render::{Entry, PictureStyle, index_page, layer_picture, text};
use crate::sink::Sink;
use std::path::Path;
use std::sync::Mutex;
use weald_core::ctx::Watch;
use weald_core::{AnyGrid, Cells, Ctx};

/// An intermediate that was kept.
struct Kept {
    name: &'static str,
    about: &'static str,
    data: AnyGrid,
}

/// Keeps the intermediates of a run and passes everything else on.
pub struct Keeper<'a> {
    next: &'a dyn Watch,
    kept: Mutex<Vec<Kept>>,
}

impl<'a> Keeper<'a> {
    /// Reports to `next`.
    pub fn new(next: &'a dyn Watch) -> Self {
        Self { next, kept: Mutex::default() }
    }
}

impl Watch for Keeper<'_> {
    fn begin(&self, stage: &'static str) {
        self.next.begin(stage);
    }

    fn tick(&self, stage: &'static str, done: usize, total: usize) {
        self.next.tick(stage, done, total);
    }

    fn end(&self, stage: &'static str) {
        self.next.end(stage);
    }

    fn wants_intermediates(&self) -> bool {
        true
    }

    fn intermediate(&self, name: &'static str, about: &'static str, data: Cells<'_>) {
        self.kept.lock().expect("no stage panicked").push(Kept { name, about, data: data.to_owned() });
    }
}

/// Writes `debug/NAME.png` for every layer and intermediate, and `debug/index.html` that shows them.
pub fn write(dir: &Path, title: &str, catalogue: &Catalogue, keeper: &Keeper, ctx: &Ctx) -> Result<()> {
    let dir = dir.join("debug");
    std::fs::create_dir(&dir).map_err(|e| crate::Error::io(&dir, e))?;
    let kept = keeper.kept.lock().expect("no stage panicked");
    let intermediates = kept.iter().map(|k| {
        let spec = LayerSpec::measure(k.name, k.data.cells().dtype(), "", k.about);
        // Most intermediates are heights.
        let palette = if k.name.starts_with("height") { Palette::Elevation } else { Palette::Plain };
        Layer::new(LayerSpec { palette, ..spec }, k.data.clone())
    });
    let mut entries = vec![Entry {
        file: "../map.png".into(),
        title: "Map".into(),
        caption: "The map of the world.".into(),
    }];
    let all: Vec<Layer> = catalogue.layers.iter().cloned().chain(intermediates).collect();
    for (i, layer) in all.iter().enumerate() {
        let file = format!("{}.png", layer.name);
        let image = layer_picture(layer, &PictureStyle::default(), ctx)?;
        let mut out = Sink::create(dir.join(&file))?;
        out.with(|w| image.write_png(w))?;
        out.finish()?;
        entries.push(Entry { file, title: text::words(layer.name), caption: sentence(layer.about) });
        ctx.tick(i + 1, all.len());
    }
    let mut out = Sink::create(dir.join("index.html"))?;
    out.write(index_page(title, &entries).as_bytes())?;
    out.finish()
}

/// With a full stop at its end.
fn sentence(about: &str) -> String {
    format!("{}.", about.trim_end_matches('.'))
}
