//! A writer whose errors name the file.

use crate::error::{Error, Result};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Somewhere to write to, and what to call it in errors.
pub struct Sink<'a> {
    path: PathBuf,
    out: Box<dyn Write + Send + 'a>,
}

impl<'a> Sink<'a> {
    /// Writes to `out` under the name `path`.
    pub fn new(path: impl AsRef<Path>, out: impl Write + Send + 'a) -> Self {
        Self { path: path.as_ref().to_path_buf(), out: Box::new(out) }
    }

    /// Makes a new file; fails if it exists.
    pub fn create(path: impl AsRef<Path>) -> Result<Sink<'static>> {
        let path = path.as_ref();
        let file = crate::files::File::create_new(path).map_err(|e| Error::io(path, e))?;
        Ok(Sink::new(path, file))
    }

    /// Opens a file to write it from its beginning, and makes it if there is none.
    pub fn open(path: impl AsRef<Path>) -> Result<Sink<'static>> {
        let path = path.as_ref();
        let file = crate::files::File::create(path).map_err(|e| Error::io(path, e))?;
        Ok(Sink::new(path, file))
    }

    /// Writes all of `bytes`.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(|e| Error::io(&self.path, e))
    }

    /// Runs `write` on the writer itself, buffered.
    pub fn with(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let mut buffered = io::BufWriter::with_capacity(1 << 16, &mut self.out);
        write(&mut buffered).and_then(|()| buffered.flush()).map_err(|e| Error::io(&self.path, e))
    }

    /// Flushes everything to the system.
    pub fn finish(mut self) -> Result<()> {
        self.out.flush().map_err(|e| Error::io(&self.path, e))
    }
}
