//! Files in memory, for platforms that have none. Each thread has its own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A folder, or the bytes of a file.
#[derive(Clone)]
enum Entry {
    Folder,
    File(Arc<Vec<u8>>),
}

thread_local! {
    static ENTRIES: RefCell<BTreeMap<PathBuf, Entry>> = const { RefCell::new(BTreeMap::new()) };
}

/// The path without `.` and `..`, from the root.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut out, part| {
        match part {
            Component::Normal(name) => out.push(name),
            Component::ParentDir => drop(out.pop()),
            _ => {}
        }
        out
    })
}

fn find(path: &Path) -> io::Result<Entry> {
    let path = plain(path);
    if path.as_os_str().is_empty() {
        return Ok(Entry::Folder);
    }
    ENTRIES.with_borrow(|entries| entries.get(&path).cloned()).ok_or_else(|| ErrorKind::NotFound.into())
}

fn insert(path: &Path, entry: Entry) -> io::Result<()> {
    let path = plain(path);
    if !is_dir(path.parent().unwrap_or(Path::new("")))? {
        return Err(ErrorKind::NotADirectory.into());
    }
    ENTRIES.with_borrow_mut(|entries| entries.insert(path, entry));
    Ok(())
}

/// Whether there is a file.
pub fn is_file(path: &Path) -> bool {
    matches!(find(path), Ok(Entry::File(_)))
}

/// Whether there is a folder. Fails if there is nothing at all.
pub fn is_dir(path: &Path) -> io::Result<bool> {
    Ok(matches!(find(path)?, Entry::Folder))
}

/// The bytes of a file.
pub fn read(path: &Path) -> io::Result<Arc<Vec<u8>>> {
    match find(path)? {
        Entry::File(bytes) => Ok(bytes),
        Entry::Folder => Err(ErrorKind::IsADirectory.into()),
    }
}

/// The text of a file.
pub fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    let bytes = read(path.as_ref())?;
    String::from_utf8(bytes.to_vec()).map_err(|e| io::Error::new(ErrorKind::InvalidData, e))
}

/// Makes or replaces a file.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    insert(path.as_ref(), Entry::File(Arc::new(bytes.as_ref().to_vec())))
}

/// Makes a folder; fails if something of that name is there.
pub fn create_dir(path: impl AsRef<Path>) -> io::Result<()> {
    match find(path.as_ref()) {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => insert(path.as_ref(), Entry::Folder),
    }
}

/// Makes a folder and those above it, as far as they are not there.
pub fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    let path = plain(path.as_ref());
    for part in path.ancestors().collect::<Vec<_>>().into_iter().rev() {
        if find(part).is_err() {
            insert(part, Entry::Folder)?;
        }
    }
    Ok(())
}

/// The names of the files in a folder and below it, in order.
pub fn list(path: &Path) -> Vec<PathBuf> {
    let path = plain(path);
    let is_below =
        |(name, entry): &(&PathBuf, &Entry)| name.starts_with(&path) && matches!(entry, Entry::File(_));
    ENTRIES.with_borrow(|entries| entries.iter().filter(is_below).map(|(name, _)| name.clone()).collect())
}

/// Removes a file, or a folder with all that is in it. What is not there is no error.
pub fn remove(path: &Path) {
    let path = plain(path);
    ENTRIES.with_borrow_mut(|entries| entries.retain(|name, _| !name.starts_with(&path)));
}

/// An open file. What is written appears when it is flushed or dropped.
pub struct File {
    path: PathBuf,
    bytes: Arc<Vec<u8>>,
    at: u64,
    changed: bool,
}

impl File {
    /// Opens a file to read it.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        Ok(Self { bytes: read(path)?, path: path.to_path_buf(), at: 0, changed: false })
    }

    /// Makes a file, or empties the one that is there.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        write(path, [])?;
        Ok(Self { path: path.to_path_buf(), bytes: Arc::default(), at: 0, changed: false })
    }

    /// Makes a new file; fails if it exists.
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        if find(path).is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        write(path, [])?;
        Ok(Self { path: path.to_path_buf(), bytes: Arc::default(), at: 0, changed: false })
    }
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let rest = self.bytes.get(self.at as usize..).unwrap_or(&[]);
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(n) => Some(n),
            SeekFrom::End(n) => (self.bytes.len() as u64).checked_add_signed(n),
            SeekFrom::Current(n) => self.at.checked_add_signed(n),
        };
        self.at = target.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Writes at the end.
impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Arc::make_mut(&mut self.bytes).extend_from_slice(bytes);
        self.changed = true;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.changed) {
            insert(&self.path, Entry::File(Arc::clone(&self.bytes)))?;
        }
        Ok(())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_a_new_file_never_replaces_one() {
        create_dir("out").unwrap();
        let path = Path::new("out/./a.txt");
        let mut file = File::create_new(path).unwrap();
        file.write_all(b"one ").unwrap();
        file.write_all(b"two").unwrap();
        drop(file);
        assert_eq!(read_to_string("out/a.txt").unwrap(), "one two");
        assert_eq!(File::create_new("out/a.txt").err().unwrap().kind(), ErrorKind::AlreadyExists);
        assert!(is_file(path) && !is_dir(path).unwrap() && is_dir(Path::new("out")).unwrap());
        assert_eq!(create_dir("out").unwrap_err().kind(), ErrorKind::AlreadyExists);
        create_dir_all("out/deep/er").unwrap();
        write("out/deep/er/b", b"b").unwrap();
        assert_eq!(list(Path::new("out")), [Path::new("out/a.txt"), Path::new("out/deep/er/b")]);
        remove(Path::new("out"));
        assert!(!is_file(path) && is_dir(Path::new("out")).is_err());
    }

    #[test]
    fn files_need_their_folder_and_folders_are_not_read() {
        assert_eq!(write("no/where", b"x").unwrap_err().kind(), ErrorKind::NotFound);
        write("file", b"x").unwrap();
        assert_eq!(write("file/below", b"x").unwrap_err().kind(), ErrorKind::NotADirectory);
        assert_eq!(File::open("").err().unwrap().kind(), ErrorKind::IsADirectory);
        assert_eq!(read_to_string("nothing").unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn reading_goes_on_from_where_it_was_moved_to() {
        write("numbers", b"0123456789").unwrap();
        let mut file = File::open("numbers").unwrap();
        let mut two = [0; 2];
        file.seek(SeekFrom::Start(4)).unwrap();
        file.read_exact(&mut two).unwrap();
        assert_eq!(&two, b"45");
        file.seek(SeekFrom::Current(-1)).unwrap();
        file.read_exact(&mut two).unwrap();
        assert_eq!(&two, b"56");
        assert_eq!(file.seek(SeekFrom::End(-1)).unwrap(), 9);
        assert!(file.seek(SeekFrom::Current(-20)).is_err());
        file.seek(SeekFrom::Start(100)).unwrap();
        assert_eq!(file.read(&mut two).unwrap(), 0);
    }
}
