//! A place to run the program in.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder of one's own to run the program in.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weald"));
        command.args(args.split_whitespace()).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &str) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs and expects success; gives what was printed.
    pub(crate) fn fine(&self, args: &str) -> String {
        let out = self.run(args);
        assert!(out.status.success(), "weald {args}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }

    /// Runs and expects an exit code; gives the error messages.
    pub(crate) fn fails(&self, args: &str, code: i32) -> String {
        let out = self.run(args);
        let message = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(code), "weald {args}: {message}");
        message
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    /// What a file says of the world: all of it, but for a manifest the seconds, which come last.
    pub(crate) fn lasting(&self, name: &str) -> Vec<u8> {
        if !name.ends_with("manifest.json") {
            return self.read(name);
        }
        assert!(self.json(name)["seconds"].is_object(), "{name}");
        let text = String::from_utf8(self.read(name)).unwrap();
        let (world, seconds) = text.split_once(",\n  \"seconds\": {\n").unwrap();
        assert!(seconds.ends_with("\n  }\n}\n") && seconds.matches('}').count() == 2, "{seconds}");
        world.as_bytes().to_vec()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }
}
