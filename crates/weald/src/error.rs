//! The one error type of the library.

use std::path::{Path, PathBuf};

/// What can go wrong, each with what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value, name or file content that is not accepted.
    #[error("{0}")]
    Invalid(String),

    /// Maps whose widths and heights do not fit together.
    #[error("{0}")]
    Shape(String),

    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// The run was interrupted.
    #[error("interrupted; no file was written")]
    Cancelled,

    /// A rule of the engine itself was broken.
    #[error("internal failure: {0}; please report it with the recipe that led here")]
    Internal(String),
}

impl Error {
    /// An [`Error::Io`] about `path`.
    pub fn io(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Error::Io { path: path.as_ref().to_path_buf(), source }
    }

    /// The exit code of the command line for this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Invalid(_) => 2,
            Error::Shape(_) => 3,
            Error::Io { .. } => 4,
            Error::Internal(_) => 5,
            Error::Cancelled => 130,
        }
    }
}

impl From<weald_core::Cancelled> for Error {
    fn from(_: weald_core::Cancelled) -> Self {
        Error::Cancelled
    }
}

/// A result of this library.
pub type Result<T> = std::result::Result<T, Error>;
