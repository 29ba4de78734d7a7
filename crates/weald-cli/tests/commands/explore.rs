//! explore: the address, the page, and the end.

use crate::common::Place;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

/// What `weald explore` says in a program that was built without the page.
const NO_PAGE: &str = "built without the page";

#[test]
fn the_address_is_printed_the_page_is_served_there_and_ctrl_c_ends_it_well() {
    let place = Place::new();
    let args = "explore island --seed 7 --set rivers.spring_area=400 --port 0 --no-open";
    let mut child = place.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    if line.is_empty() {
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2));
        assert!(message.contains(NO_PAGE) && message.contains("cargo xtask web"), "{message}");
        return;
    }
    let (address, fragment) = line.trim_end().strip_prefix("http://").unwrap().split_once('/').unwrap();
    assert_eq!(fragment, "#v=1&world=island&seed=7&p.rivers.spring_area=400");
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<title>Weald</title>"), "{answer}");
    #[cfg(unix)]
    {
        let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(interrupt.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(TcpStream::connect(address).is_err(), "nothing listens any more");
    }
    let _ = child.kill();
}

#[test]
fn what_cannot_be_explored_is_refused() {
    let place = Place::new();
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let message = place.fails(&format!("explore --no-open --port {port}"), 2);
    assert!(message.contains("another program uses this port") || message.contains(NO_PAGE), "{message}");
    let message = place.fails("explore --no-open --seed 7", 2);
    assert!(message.contains("name a world first") || message.contains(NO_PAGE), "{message}");
    let message = place.fails("explore island --recipe mine.toml --no-open", 2);
    assert!(message.contains("drop a recipe file on the page") || message.contains(NO_PAGE), "{message}");
    let message = place.fails("explore island --set rivers.spring_area=-1 --no-open", 2);
    assert!(message.contains("rivers.spring_area") || message.contains(NO_PAGE), "{message}");
    place.fails("explore nowhere --no-open", 2);
    place.fails("explore --port 70000 --no-open", 2);
}
