//! Output that appears whole or not at all.
//!
//! Everything is written under a temporary name beside the target and renamed when it is finished. A run that fails
//! or is interrupted removes its temporary files; one that is killed leaves them, locked by nobody, and the next run
//! to the same target removes them.

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// What to do when the target is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it alone and refuse.
    Keep,
    /// Replace it.
    Replace,
}

/// A file or folder in the making.
pub struct Stage {
    target: PathBuf,
    temporary: PathBuf,
    existing: Existing,
    /// Held as long as the temporary files are in use.
    _lock: File,
    done: bool,
}

/// What is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One file.
    File,
    /// A folder.
    Folder,
}

const LOCK: &str = ".lock";

impl Stage {
    /// Whether `target` can be made: it has a name, its parent folder exists, and nothing is in the way that must stay.
    pub fn check(target: &Path, form: Form, existing: Existing) -> Result<()> {
        let target: PathBuf = target.components().collect();
        if target.file_name().is_none() {
            let message = "give the output a name, such as out/";
            return Err(Error::Invalid(format!("{}: {message}", target.display())));
        }
        let parent = parent(&target);
        if !parent.is_dir() {
            let missing = std::io::Error::new(std::io::ErrorKind::NotFound, "no such folder; make it first");
            return Err(Error::io(parent, missing));
        }
        check_free(&target, form, existing)
    }

    /// Starts to make `target`.
    pub fn new(target: &Path, form: Form, existing: Existing) -> Result<Self> {
        // Without a slash at its end a path has a name.
        let target: PathBuf = target.components().collect();
        let parent = parent(&target);
        sweep(&parent, &target);
        Self::check(&target, form, existing)?;
        let name = target.file_name().unwrap_or_default();
        let temporary = parent.join(temporary_name(name, &std::process::id().to_string()));
        let lock = match form {
            Form::Folder => {
                fs::create_dir(&temporary).map_err(|e| Error::io(&target, e))?;
                File::create_new(temporary.join(LOCK))
            }
            Form::File => File::create_new(&temporary),
        };
        let lock = lock.map_err(|e| Error::io(&target, e))?;
        // Where files cannot be locked, leftovers are merely not recognised.
        let _ = lock.try_lock();
        Ok(Self { target, temporary, existing, _lock: lock, done: false })
    }

    /// Where to write: the temporary folder, or the temporary file, which is there and empty.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the finished work its name.
    pub fn commit(mut self) -> Result<()> {
        let form = if self.temporary.is_dir() { Form::Folder } else { Form::File };
        check_free(&self.target, form, self.existing)?;
        let old = self.temporary.with_extension("old");
        let replaces_folder = form == Form::Folder && self.target.exists();
        if replaces_folder {
            fs::rename(&self.target, &old).map_err(|e| Error::io(&self.target, e))?;
        }
        if let Err(e) = fs::rename(&self.temporary, &self.target) {
            if replaces_folder {
                let _ = fs::rename(&old, &self.target);
            }
            return Err(Error::io(&self.target, e));
        }
        self.done = true;
        if form == Form::Folder {
            let lock = self.target.join(LOCK);
            fs::remove_file(&lock).map_err(|e| Error::io(lock, e))?;
        }
        if replaces_folder {
            fs::remove_dir_all(&old).map_err(|e| Error::io(&old, e))?;
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !self.done {
            remove(&self.temporary);
        }
    }
}

fn parent(target: &Path) -> PathBuf {
    match target.parent() {
        Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

fn temporary_name(name: &std::ffi::OsStr, id: &str) -> OsString {
    let mut out = OsString::from(".");
    out.push(name);
    out.push(format!(".weald-{id}.tmp"));
    out
}

/// Refuses a target that must not be replaced.
fn check_free(target: &Path, form: Form, existing: Existing) -> Result<()> {
    let Ok(there) = fs::symlink_metadata(target) else { return Ok(()) };
    let refuse =
        |why: &str| Err(Error::io(target, std::io::Error::new(std::io::ErrorKind::AlreadyExists, why)));
    match (existing, form) {
        (Existing::Keep, _) => refuse("already exists; use --force to replace it, or another name"),
        (_, Form::File) if !there.is_file() => refuse("is not a file; choose another name"),
        (_, Form::Folder) if !there.is_dir() => refuse("is not a folder; choose another name"),
        (_, Form::Folder) => {
            let empty = fs::read_dir(target).is_ok_and(|mut d| d.next().is_none());
            let ours = target.join("manifest.json").is_file() && target.join("recipe.toml").is_file();
            if empty || ours {
                Ok(())
            } else {
                refuse("holds other things; remove it yourself, or choose another name")
            }
        }
        _ => Ok(()),
    }
}

/// Removes what killed runs to the same target have left, and brings back a folder that was being replaced.
fn sweep(parent: &Path, target: &Path) {
    let Some(name) = target.file_name() else { return };
    let start = format!(".{}.weald-", name.to_string_lossy());
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let Some((id, ending)) = found.strip_prefix(&start).and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        if id.is_empty()
            || !id.bytes().all(|b| b.is_ascii_digit())
            || in_use(&parent.join(format!("{start}{id}.tmp")), id)
        {
            continue;
        }
        let path = entry.path();
        match ending {
            "old" if !target.exists() => drop(fs::rename(&path, target)),
            "old" | "tmp" => remove(&path),
            _ => {}
        }
    }
}

/// Whether a living run holds the lock of these temporary files, or is about to: a folder gets its lock just after it
/// was made.
fn in_use(temporary: &Path, process: &str) -> bool {
    let lock = if temporary.is_dir() { temporary.join(LOCK) } else { temporary.to_path_buf() };
    match File::open(&lock) {
        Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => temporary.is_dir() && Path::new("/proc").join(process).exists(),
    }
}

fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut all: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        all.sort();
        all
    }

    #[test]
    fn a_folder_appears_only_when_it_is_finished() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        let stage = Stage::new(&target, Form::Folder, Existing::Keep).unwrap();
        fs::write(stage.path().join("a"), "1").unwrap();
        assert!(!target.exists());
        stage.commit().unwrap();
        assert_eq!((names(dir.path()), names(&target)), (vec!["out".into()], vec!["a".into()]));
    }

    #[test]
    fn dropped_work_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        for form in [Form::File, Form::Folder] {
            drop(Stage::new(&dir.path().join("out"), form, Existing::Keep).unwrap());
            assert!(names(dir.path()).is_empty());
        }
    }

    #[test]
    fn what_is_there_is_kept_unless_replacing_is_asked_for_and_safe() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("letters.txt"), "mine").unwrap();
        let open =
            |existing| Stage::new(&target, Form::Folder, existing).map(|_| ()).map_err(|e| e.to_string());
        assert!(open(Existing::Keep).unwrap_err().contains("--force"));
        assert!(open(Existing::Replace).unwrap_err().contains("other things"));
        fs::write(target.join("manifest.json"), "{}").unwrap();
        fs::write(target.join("recipe.toml"), "").unwrap();
        let stage = Stage::new(&target, Form::Folder, Existing::Replace).unwrap();
        fs::write(stage.path().join("new"), "").unwrap();
        stage.commit().unwrap();
        assert_eq!((names(dir.path()), names(&target)), (vec!["out".into()], vec!["new".into()]));
    }

    #[test]
    fn leftovers_of_a_killed_run_are_swept_and_those_of_a_living_one_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out.json");
        fs::write(dir.path().join(".out.json.weald-1.tmp"), "dead").unwrap();
        let living = File::create_new(dir.path().join(".out.json.weald-2.tmp")).unwrap();
        living.try_lock().unwrap();
        drop(Stage::new(&target, Form::File, Existing::Keep).unwrap());
        assert_eq!(names(dir.path()), [".out.json.weald-2.tmp"]);
    }

    #[test]
    fn a_folder_that_was_being_replaced_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (target, old) = (dir.path().join("out"), dir.path().join(".out.weald-7.old"));
        fs::create_dir(&old).unwrap();
        fs::write(old.join("a"), "1").unwrap();
        assert!(Stage::new(&target, Form::Folder, Existing::Keep).is_err(), "it is there again and is kept");
        assert_eq!((names(dir.path()), names(&target)), (vec!["out".into()], vec!["a".into()]));
    }

    #[test]
    fn a_missing_parent_is_an_error_that_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let error = Stage::new(&dir.path().join("a/b"), Form::Folder, Existing::Keep).err().unwrap();
        assert!(error.to_string().contains("make it first"), "{error}");
    }
}
