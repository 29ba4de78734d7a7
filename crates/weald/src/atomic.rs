//! Output that appears whole or not at all.
//!
//! Everything is written under a temporary name beside the target and renamed when it is finished. A run that fails
//! or is interrupted removes its temporary files; one that is killed leaves them without a lock, and the next run to the
//! same target removes them.

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to do when the target is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it alone and refuse.
    Keep,
    /// Replace it.
    Replace,
}

/// A file or folder that is being written.
pub struct AtomicOutput {
    target: PathBuf,
    temporary: PathBuf,
    existing: Existing,
    /// Held as long as the temporary files are in use.
    _lock: File,
    done: bool,
}

/// Writes a small file whole or not at all, in the place of one that may be there. Several processes may do so at once, also on other machines
/// that see the same folder. A process that is killed meanwhile leaves a file of another name.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let (folder, name) = (parent(path), path.file_name().unwrap_or_default());
    let mut attempt = u64::from(std::process::id());
    let (temporary, mut file) = loop {
        let temporary = folder.join(temporary_name(name, &attempt.to_string()));
        match File::create_new(&temporary) {
            Ok(file) => break (temporary, file),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => attempt += 1,
            Err(e) => return Err(Error::io(path, e)),
        }
    };
    let written = file.write_all(bytes).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|e| {
        let _ = fs::remove_file(&temporary);
        Error::io(path, e)
    })
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

/// The number of the next output of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Held from the making of temporary files until they are locked, so that no other thread takes them for leftovers.
static MAKING: Mutex<()> = Mutex::new(());

impl AtomicOutput {
    /// Fails unless `target` can be made: it has a name, its parent folder exists, and nothing is there that must stay.
    pub fn validate(target: &Path, form: Form, existing: Existing) -> Result<()> {
        let target: PathBuf = target.components().collect();
        if target.file_name().is_none() {
            let message = "the output needs a name, such as out/";
            return Err(Error::Invalid(format!("{}: {message}", target.display())));
        }
        let parent = parent(&target);
        if !parent.is_dir() {
            let missing = std::io::Error::new(std::io::ErrorKind::NotFound, "no such folder; make it first");
            return Err(Error::io(parent, missing));
        }
        refuse_taken(&target, form, existing)
    }

    /// Starts to make `target`.
    pub fn new(target: &Path, form: Form, existing: Existing) -> Result<Self> {
        // A path without a slash at its end has a name.
        let target: PathBuf = target.components().collect();
        let parent = parent(&target);
        let _making = MAKING.lock().unwrap_or_else(|held| held.into_inner());
        sweep(&parent, &target);
        Self::validate(&target, form, existing)?;
        let name = target.file_name().unwrap_or_default();
        let id = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let temporary = parent.join(temporary_name(name, &id));
        let lock = match form {
            Form::Folder => {
                fs::create_dir(&temporary).map_err(|e| Error::io(&target, e))?;
                File::create_new(temporary.join(LOCK))
            }
            Form::File => File::create_new(&temporary),
        };
        let lock = lock.map_err(|e| Error::io(&target, e))?;
        // Where files cannot be locked, leftover files are not recognised; nothing else changes.
        let _ = lock.try_lock();
        Ok(Self { target, temporary, existing, _lock: lock, done: false })
    }

    /// Where to write: the temporary folder, or the temporary file, which exists and is empty.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Renames the finished output to its name.
    pub fn commit(mut self) -> Result<()> {
        let form = if self.temporary.is_dir() { Form::Folder } else { Form::File };
        refuse_taken(&self.target, form, self.existing)?;
        let old = if form == Form::Folder && self.target.exists() {
            Some(exchange(&self.temporary, &self.target).map_err(|e| Error::io(&self.target, e))?)
        } else {
            fs::rename(&self.temporary, &self.target).map_err(|e| Error::io(&self.target, e))?;
            None
        };
        self.done = true;
        if form == Form::Folder {
            let lock = self.target.join(LOCK);
            fs::remove_file(&lock).map_err(|e| Error::io(lock, e))?;
        }
        if let Some(old) = old {
            fs::remove_dir_all(&old).map_err(|e| Error::io(&old, e))?;
        }
        Ok(())
    }
}

impl Drop for AtomicOutput {
    fn drop(&mut self) {
        if !self.done {
            remove(&self.temporary);
        }
    }
}

/// Replaces the old folder by the new one and returns where the old one is now: in one step where the system can,
/// otherwise in two.
fn exchange(new: &Path, target: &Path) -> std::io::Result<PathBuf> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE).is_ok() {
            return Ok(new.to_path_buf());
        }
    }
    let old = new.with_extension("old");
    fs::rename(target, &old)?;
    fs::rename(new, target).inspect_err(|_| drop(fs::rename(&old, target)))?;
    Ok(old)
}

fn parent(target: &Path) -> PathBuf {
    match target.parent() {
        Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

pub(crate) fn temporary_name(name: &std::ffi::OsStr, id: &str) -> OsString {
    let mut out = OsString::from(".");
    out.push(name);
    out.push(format!(".weald-{id}.tmp"));
    out
}

/// Refuses a target that must not be replaced.
fn refuse_taken(target: &Path, form: Form, existing: Existing) -> Result<()> {
    let Ok(there) = fs::symlink_metadata(target) else { return Ok(()) };
    let refuse =
        |why: &str| Err(Error::io(target, std::io::Error::new(std::io::ErrorKind::AlreadyExists, why)));
    match (existing, form) {
        (Existing::Keep, _) => refuse("already exists; use --force to replace it, or another name"),
        (_, Form::File) if !there.is_file() => refuse("is not a file; choose another name"),
        (_, Form::Folder) if !there.is_dir() => refuse("is not a folder; choose another name"),
        (_, Form::Folder) => {
            let empty = fs::read_dir(target).is_ok_and(|mut d| d.next().is_none());
            if empty || is_ours(target) || is_our_store(target) {
                Ok(())
            } else {
                refuse("holds files that are not Weald's; remove it yourself, or choose another name")
            }
        }
        _ => Ok(()),
    }
}

/// Whether a folder holds only what its manifest lists and what every folder of ours has.
fn is_ours(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join("manifest.json")) else { return false };
    let Ok(manifest) = serde_json::from_str::<serde_json::Value>(&text) else { return false };
    let mut known: Vec<&str> =
        vec!["manifest.json", "recipe.toml", "map.png", "layers", "maps", "debug", "frames"];
    for list in ["files", "lines", "points", "polygons"] {
        known.extend(manifest[list].as_array().into_iter().flatten().filter_map(|f| f["file"].as_str()));
    }
    all_listed(folder, "", &known)
}

/// Whether everything in a folder is listed. The files of an export are listed as FOLDER/NAME, or deeper; others beside them, such as a
/// copy that somebody has edited, are not ours, and neither is an empty folder.
fn all_listed(folder: &Path, below: &str, known: &[&str]) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = |entry: fs::DirEntry| {
        let Some(name) = entry.file_name().to_str().map(|name| format!("{below}{name}")) else {
            return false;
        };
        let inner = || fs::read_dir(entry.path()).is_ok_and(|mut inner| inner.next().is_some());
        known.contains(&name.as_str()) || (inner() && all_listed(&entry.path(), &format!("{name}/"), known))
    };
    entries.into_iter().all(ours)
}

/// Whether a folder is a Zarr store of ours with nothing in it but the arrays that it lists.
fn is_our_store(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join("zarr.json")) else { return false };
    let Ok(group) = serde_json::from_str::<serde_json::Value>(&text) else { return false };
    let Some(arrays) = group["attributes"]["weald"]["arrays"].as_array() else { return false };
    let only = |folder: &Path, known: &dyn Fn(&str) -> bool| {
        let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.all(|e| e.file_name().to_str().is_some_and(known))
    };
    let listed = |name: &str| arrays.iter().any(|a| a == name);
    only(folder, &|name| name == "zarr.json" || listed(name))
        && arrays
            .iter()
            .filter_map(|a| a.as_str())
            .all(|name| only(&folder.join(name), &|inner| matches!(inner, "zarr.json" | "c")))
}

/// Removes what killed runs to the same target have left, and restores a folder that was being replaced.
fn sweep(parent: &Path, target: &Path) {
    let Some(name) = target.file_name() else { return };
    let start = format!(".{}.weald-", name.to_string_lossy());
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let found = entry.file_name().to_string_lossy().into_owned();
        let Some((id, ending)) = found.strip_prefix(&start).and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        let process = id.split('-').next().unwrap_or_default();
        if process.is_empty()
            || !id.bytes().all(|b| b.is_ascii_digit() || b == b'-')
            || in_use(&parent.join(format!("{start}{id}.tmp")), process)
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

/// Whether a running process works on these temporary files: the process exists, where the system can tell, or the lock is
/// held.
fn in_use(temporary: &Path, process: &str) -> bool {
    // Process ids are reused, above all in containers: files with our id are of this run only if they are locked.
    if process != std::process::id().to_string() && Path::new("/proc").join(process).exists() {
        return true;
    }
    let lock = if temporary.is_dir() { temporary.join(LOCK) } else { temporary.to_path_buf() };
    match File::open(&lock) {
        Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => false,
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
        let output = AtomicOutput::new(&target, Form::Folder, Existing::Keep).unwrap();
        fs::write(output.path().join("a"), "1").unwrap();
        assert!(!target.exists());
        output.commit().unwrap();
        assert_eq!((names(dir.path()), names(&target)), (vec!["out".into()], vec!["a".into()]));
    }

    #[test]
    fn dropped_work_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        for form in [Form::File, Form::Folder] {
            drop(AtomicOutput::new(&dir.path().join("out"), form, Existing::Keep).unwrap());
            assert!(names(dir.path()).is_empty());
        }
    }

    #[test]
    fn what_is_there_is_kept_unless_replacing_is_asked_for_and_safe() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("letters.txt"), "mine").unwrap();
        let open = |existing| {
            AtomicOutput::new(&target, Form::Folder, existing).map(|_| ()).map_err(|e| e.to_string())
        };
        assert!(open(Existing::Keep).unwrap_err().contains("--force"));
        assert!(open(Existing::Replace).unwrap_err().contains("not Weald's"));
        fs::write(target.join("manifest.json"), r#"{"files": [{"file": "tiles.json"}]}"#).unwrap();
        fs::write(target.join("tiles.json"), "").unwrap();
        assert!(open(Existing::Replace).unwrap_err().contains("not Weald's"));
        fs::remove_file(target.join("letters.txt")).unwrap();
        let output = AtomicOutput::new(&target, Form::Folder, Existing::Replace).unwrap();
        fs::write(output.path().join("new"), "").unwrap();
        output.commit().unwrap();
        assert_eq!((names(dir.path()), names(&target)), (vec!["out".into()], vec!["new".into()]));
    }

    #[test]
    fn a_folder_within_is_replaced_only_if_the_manifest_lists_all_its_files() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        fs::create_dir_all(target.join("tiled")).unwrap();
        fs::write(target.join("manifest.json"), r#"{"files": [{"file": "tiled/realm.tmj"}]}"#).unwrap();
        fs::write(target.join("tiled/realm.tmj"), "").unwrap();
        let validate = || AtomicOutput::validate(&target, Form::Folder, Existing::Replace);
        validate().unwrap();
        fs::write(target.join("tiled/mine.tmj"), "").unwrap();
        assert!(validate().unwrap_err().to_string().contains("not Weald's"));
    }

    #[test]
    fn a_store_of_ours_is_replaced_and_one_of_others_or_with_more_in_it_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out.zarr");
        fs::create_dir_all(target.join("height/c/0")).unwrap();
        fs::write(target.join("height/zarr.json"), "{}").unwrap();
        let validate = |attributes: &str| {
            fs::write(target.join("zarr.json"), format!(r#"{{"attributes": {attributes}}}"#)).unwrap();
            AtomicOutput::validate(&target, Form::Folder, Existing::Replace)
        };
        let ours = r#"{"weald": {"arrays": ["height"]}}"#;
        validate(ours).unwrap();
        assert!(validate("{}").unwrap_err().to_string().contains("not Weald's"));
        assert!(validate(r#"{"weald": {"arrays": ["slope"]}}"#).is_err());
        fs::write(target.join("height/mine.txt"), "").unwrap();
        assert!(validate(ours).is_err());
    }

    #[test]
    fn leftovers_of_a_killed_run_are_swept_and_those_of_a_living_one_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out.json");
        fs::write(dir.path().join(".out.json.weald-99999991.tmp"), "dead").unwrap();
        let living = File::create_new(dir.path().join(".out.json.weald-99999992.tmp")).unwrap();
        living.try_lock().unwrap();
        let ours = format!(".out.json.weald-{}.tmp", std::process::id());
        fs::write(dir.path().join(ours), "dead, of a process that had our number").unwrap();
        drop(AtomicOutput::new(&target, Form::File, Existing::Keep).unwrap());
        assert_eq!(names(dir.path()), [".out.json.weald-99999992.tmp"]);
    }

    #[test]
    fn threads_that_make_the_same_file_at_once_leave_one_of_theirs_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("tile");
        std::thread::scope(|scope| {
            for thread in 0..8u8 {
                let target = &target;
                scope.spawn(move || {
                    for _ in 0..30 {
                        let output = AtomicOutput::new(target, Form::File, Existing::Replace).unwrap();
                        fs::write(output.path(), [thread; 100]).unwrap();
                        output.commit().unwrap();
                        let read = fs::read(target).unwrap();
                        assert!(read.len() == 100 && read.iter().all(|&byte| byte == read[0]));
                    }
                });
            }
        });
        assert_eq!(names(dir.path()), ["tile"]);
    }

    #[test]
    fn a_folder_that_was_being_replaced_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (target, old) = (dir.path().join("out"), dir.path().join(".out.weald-99999997.old"));
        fs::create_dir(&old).unwrap();
        fs::write(old.join("a"), "1").unwrap();
        assert!(
            AtomicOutput::new(&target, Form::Folder, Existing::Keep).is_err(),
            "it is there again and is kept"
        );
        assert_eq!((names(dir.path()), names(&target)), (vec!["out".into()], vec!["a".into()]));
    }

    #[test]
    fn a_missing_parent_is_an_error_that_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let error = AtomicOutput::new(&dir.path().join("a/b"), Form::Folder, Existing::Keep).err().unwrap();
        assert!(error.to_string().contains("make it first"), "{error}");
    }
}
