//! The one error type of the library.

use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};

/// What can go wrong. Each message says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value, name or file content that is not accepted.
    #[error("{0}")]
    Invalid(String),

    /// Parameters that are not accepted: every problem at once.
    #[error("{}", lines(.0))]
    Params(Vec<Problem>),

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

    /// What is asked for needs more memory than is free.
    #[error("{0}")]
    Memory(String),

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
            Error::Invalid(_) | Error::Params(_) | Error::Memory(_) => 2,
            Error::Shape(_) => 3,
            Error::Io { .. } => 4,
            Error::Internal(_) => 5,
            Error::Cancelled => 130,
        }
    }
}

/// One problem with a parameter, as data, so that a form can mark its field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// Dotted path of the parameter as it was written.
    pub path: String,
    /// The value, if there is one.
    pub value: Option<Value>,
    /// What is wrong: "must be between 4 and 4096", "no such parameter; did you mean …?".
    pub message: String,
    /// The least and the greatest value allowed, where that is what is wrong.
    pub range: (Option<f64>, Option<f64>),
    /// Where the value came from: `--set`, or a file with line and column.
    pub source: Option<String>,
}

impl Problem {
    /// A value that is in its own range but does not fit the others.
    pub fn new(path: impl Into<String>, value: impl Into<Value>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            value: Some(value.into()),
            message: message.into(),
            range: (None, None),
            source: None,
        }
    }

    /// A problem with a name rather than a value.
    pub(crate) fn of_name(path: &str, message: String, source: &str) -> Self {
        Self { path: path.into(), value: None, message, range: (None, None), source: Some(source.into()) }
    }
}

/// Characters of a text that a message repeats.
const LONGEST_VALUE: usize = 60;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(Value::String(text)) if text.chars().count() > LONGEST_VALUE => {
                let begin: String = text.chars().take(LONGEST_VALUE).collect();
                write!(f, "{} = {begin:?}…: {}", self.path, self.message)?
            }
            Some(value) => write!(f, "{} = {value}: {}", self.path, self.message)?,
            None => write!(f, "{}: {}", self.path, self.message)?,
        }
        self.source.as_ref().map_or(Ok(()), |source| write!(f, " ({source})"))
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// What is wrong with a text that is not JSON.
pub(crate) fn not_json(e: &serde_json::Error) -> String {
    format!("is not valid JSON at line {}, column {}", e.line(), e.column())
}

impl From<weald_core::Cancelled> for Error {
    fn from(_: weald_core::Cancelled) -> Self {
        Error::Cancelled
    }
}

/// A result of this library.
pub type Result<T> = std::result::Result<T, Error>;
