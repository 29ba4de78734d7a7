//! The command line as users meet it: files, messages, exit codes.

mod build;
mod city;
mod common;
mod draw;
mod endless;
mod explain;
mod explore;
mod export;
mod forest;
mod help;
mod island;
mod measure;
mod own_map;
mod planet;
mod realm_tiled;
mod sheet;
