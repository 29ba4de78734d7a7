//! Errors of the library as exceptions of Python, in the same words as on the command line.

use pyo3::exceptions::{
    PyFileExistsError, PyFileNotFoundError, PyIsADirectoryError, PyKeyboardInterrupt, PyMemoryError,
    PyNotADirectoryError, PyOSError, PyPermissionError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;
use std::io::ErrorKind;
use weald::Error;

/// The exception for an error.
pub(crate) fn raised(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Invalid(_) | Error::Params(_) | Error::Shape(_) => PyValueError::new_err(message),
        Error::Memory(_) => PyMemoryError::new_err(message),
        Error::Cancelled => PyKeyboardInterrupt::new_err(message),
        Error::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
            ErrorKind::AlreadyExists => PyFileExistsError::new_err(message),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(message),
            ErrorKind::NotADirectory => PyNotADirectoryError::new_err(message),
            _ => PyOSError::new_err(message),
        },
        _ => PyRuntimeError::new_err(message),
    }
}
