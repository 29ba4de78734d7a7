//! The server of the page. It answers on loopback with the files of the page and nothing else: no other host's name, no other path, no body.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Response, StatusCode};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;

/// The longest path and query that are answered.
const LONGEST_PATH: usize = 2048;

/// How often the server looks whether it shall stop, and how long it waits for answers that are under way.
const LOOK: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_secs(2);

/// What every answer says. The two policies of the first lines let the page share memory with its workers; no other page may read or
/// frame what this server sends. The page holds its content security policy itself, for servers of static files; here it is sent too,
/// because workers take theirs from the answer.
const HEADERS: [(&str, &str); 7] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    (
        "content-security-policy",
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
];

/// The files of a page by name.
#[derive(Clone, Copy)]
pub(super) struct Page(&'static [(&'static str, &'static [u8])]);

impl Page {
    pub(super) fn new(files: &'static [(&'static str, &'static [u8])]) -> Self {
        Self(files)
    }

    fn file(&self, path: &str) -> Option<(&'static str, &'static [u8])> {
        let name = match path.strip_prefix('/')? {
            "" => "index.html",
            name => name,
        };
        self.0.iter().copied().find(|(n, _)| *n == name)
    }
}

/// What the handler knows.
struct Site {
    page: Page,
    address: SocketAddr,
}

/// Serves the page until `stop` is true.
pub(super) async fn serve(
    listener: TcpListener,
    page: Page,
    stop: &'static AtomicBool,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    let site = Arc::new(Site { page, address });
    let app = Router::new().fallback(answer).with_state(site);
    let stopped = || async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK).await;
        }
    };
    let server = axum::serve(listener, app).with_graceful_shutdown(stopped());
    let late = async {
        stopped().await;
        tokio::time::sleep(PATIENCE).await;
    };
    tokio::select! {
        done = server.into_future() => done,
        () = late => Ok(()),
    }
}

async fn answer(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let refusal = refusal(&request, site.address);
    let (status, kind, bytes): (StatusCode, &str, &'static [u8]) =
        match (refusal, site.page.file(request.uri().path())) {
            (Some((status, text)), _) => (status, "text/plain; charset=utf-8", text.as_bytes()),
            (None, Some((name, bytes))) => (StatusCode::OK, kind_of(name), bytes),
            (None, None) => {
                (StatusCode::NOT_FOUND, "text/plain; charset=utf-8", b"There is no such file.\n".as_slice())
            }
        };
    let mut answer = Response::new(match *request.method() {
        Method::HEAD => Body::empty(),
        _ => Body::from(bytes),
    });
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(kind).expect("types are plain text"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    // Files in `assets` have the hash of what they hold in their names.
    let keep = status == StatusCode::OK && request.uri().path().starts_with("/assets/");
    let cache = if keep { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if status.is_client_error() {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    answer
}

/// Why a request is not answered.
fn refusal(request: &Request, address: SocketAddr) -> Option<(StatusCode, &'static str)> {
    if !is_own_host(request, address) {
        let text = "This server answers only to the names of this machine: 127.0.0.1 and localhost.\n";
        return Some((StatusCode::MISDIRECTED_REQUEST, text));
    }
    if request.uri().path_and_query().is_none_or(|p| p.as_str().len() > LONGEST_PATH) {
        return Some((StatusCode::URI_TOO_LONG, "The address is too long.\n"));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are answered.\n"));
    }
    let has_body = |headers: &HeaderMap| {
        headers.contains_key(header::TRANSFER_ENCODING)
            || headers.get(header::CONTENT_LENGTH).is_some_and(|n| n.as_bytes() != b"0")
    };
    has_body(request.headers()).then_some((StatusCode::PAYLOAD_TOO_LARGE, "Requests have no body.\n"))
}

/// Whether the request names this machine and this port. A page of another site whose name was made to lead here
/// (DNS rebinding) sends its own name.
fn is_own_host(request: &Request, address: SocketAddr) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let own = |host: &str| {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        port.parse() == Ok(address.port()) && ["127.0.0.1", "localhost", "[::1]"].contains(&name)
    };
    let named = host.to_str().is_ok_and(own);
    named && request.uri().authority().is_none_or(|a| own(a.as_str()))
}

/// The type of a file.
fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use weald::core::Seed;

    #[test]
    fn the_policy_of_answers_is_that_of_the_page_and_forbids_frames() {
        let page = include_str!("../../../../web/index.html");
        let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\"").unwrap();
        let policy = rest.split('"').nth(1).unwrap();
        let sent = HEADERS.iter().find(|(name, _)| *name == "content-security-policy").unwrap().1;
        assert_eq!(sent, format!("{policy}; frame-ancestors 'none'"));
    }

    const FILES: &[(&str, &[u8])] =
        &[("index.html", b"<!doctype html>home"), ("assets/a.wasm", b"\0asm"), ("assets/b.js", b"1")];

    /// How long a test waits for an answer that must come.
    const LONG: Duration = Duration::from_secs(10);

    /// A server on a free port, which stops when this is dropped.
    struct Running {
        port: u16,
        stop: &'static AtomicBool,
        thread: Option<std::thread::JoinHandle<()>>,
    }

    impl Running {
        fn start() -> Self {
            let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
            let (tell, told) = std::sync::mpsc::channel();
            let thread = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
                    tell.send(listener.local_addr().unwrap().port()).unwrap();
                    serve(listener, Page::new(FILES), stop).await.unwrap();
                });
            });
            Self { port: told.recv().unwrap(), stop, thread: Some(thread) }
        }

        /// Sends bytes as they are and reads what comes back until the server closes the connection or is silent.
        fn send(&self, bytes: &[u8], wait: Duration) -> Vec<u8> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
            stream.set_read_timeout(Some(wait)).unwrap();
            let _ = stream.write_all(bytes);
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            answer
        }

        fn get(&self, line: &str, headers: &str) -> String {
            let text =
                format!("{line}\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{headers}\r\n", self.port);
            String::from_utf8_lossy(&self.send(text.as_bytes(), LONG)).into_owned()
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            self.stop.store(true, Ordering::Relaxed);
            self.thread.take().unwrap().join().unwrap();
        }
    }

    fn status(answer: &str) -> u16 {
        answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
    }

    #[test]
    fn the_page_comes_with_its_types_and_the_headers_that_isolate_it() {
        let server = Running::start();
        let home = server.get("GET / HTTP/1.1", "");
        assert!(home.starts_with("HTTP/1.1 200") && home.ends_with("<!doctype html>home"), "{home}");
        for header in
            ["cross-origin-opener-policy: same-origin", "text/html", "no-cache", "frame-ancestors 'none'"]
        {
            assert!(home.contains(header), "{header}: {home}");
        }
        let wasm = server.get("GET /assets/a.wasm HTTP/1.1", "");
        assert!(wasm.contains("content-type: application/wasm") && wasm.contains("immutable"), "{wasm}");
        let head = server.get("HEAD / HTTP/1.1", "");
        assert!(head.contains("content-length: 19") && head.ends_with("\r\n\r\n"), "{head}");
    }

    #[test]
    fn other_hosts_paths_methods_and_bodies_are_refused() {
        let server = Running::start();
        let port = server.port;
        for host in ["evil.example", "127.0.0.1", "localhost:1", &format!("evil.example:{port}"), ""] {
            let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
            let answer = String::from_utf8_lossy(&server.send(text.as_bytes(), LONG)).into_owned();
            assert!([400, 421].contains(&status(&answer)), "{host}: {answer}");
        }
        let two = format!(
            "GET / HTTP/1.1\r\nHost: localhost:{port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        );
        assert!([400, 421].contains(&status(&String::from_utf8_lossy(&server.send(two.as_bytes(), LONG)))));
        let whole = format!(
            "GET http://evil.example/ HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
        );
        assert!([400, 421].contains(&status(&String::from_utf8_lossy(&server.send(whole.as_bytes(), LONG)))));
        for path in [
            "/../Cargo.toml",
            "/assets/../index.html",
            "/%2e%2e/etc/passwd",
            "//index.html",
            "/assets",
            "/etc/passwd",
        ] {
            assert_eq!(status(&server.get(&format!("GET {path} HTTP/1.1"), "")), 404, "{path}");
        }
        assert_eq!(status(&server.get("POST / HTTP/1.1", "Content-Length: 0\r\n")), 405);
        assert_eq!(status(&server.get("GET / HTTP/1.1", "Content-Length: 99999999999\r\n")), 413);
        assert_eq!(status(&server.get("GET / HTTP/1.1", "Transfer-Encoding: chunked\r\n")), 413);
        let long = format!("GET /{} HTTP/1.1", "a".repeat(3000));
        assert_eq!(status(&server.get(&long, "")), 414);
        let many: String = (0..500).map(|i| format!("X-{i}: {i}\r\n")).collect();
        assert_eq!(status(&server.get("GET / HTTP/1.1", &many)), 431);
        for name in ["localhost", "[::1]"] {
            let text = format!("GET / HTTP/1.1\r\nHost: {name}:{port}\r\nConnection: close\r\n\r\n");
            assert_eq!(status(&String::from_utf8_lossy(&server.send(text.as_bytes(), LONG))), 200, "{name}");
        }
    }

    /// A request that is good, broken in one place, or noise.
    fn odd_request(seed: Seed, port: u16) -> Vec<u8> {
        let pick = |name: &str, n: u64| (seed.of(name).at(0, 0) % n) as usize;
        let method = ["GET", "HEAD", "PUT", "get", "", "\0", "OPTIONS", "CONNECT"][pick("method", 8)];
        let path =
            ["/", "/assets/b.js", "/..%5c..", "/\u{fffd}", "*", "http://x/", "/?q=1#a", "/%00", "/a b", "?"]
                [pick("path", 10)];
        let version = ["HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "", "HTTP/2.0"][pick("version", 5)];
        let host =
            [format!("localhost:{port}"), "x".repeat(pick("long", 5000)), format!("a@127.0.0.1:{port}")];
        let extra = [
            "",
            "Range: bytes=0-\r\n",
            "Content-Length: -1\r\n",
            "Upgrade: websocket\r\nConnection: Upgrade\r\n",
            ": \r\n",
        ];
        let text = format!(
            "{method} {path} {version}\r\nHost: {}\r\n{}\r\n",
            host[pick("host", 3)],
            extra[pick("extra", 5)]
        );
        let mut bytes = text.into_bytes();
        match pick("damage", 4) {
            0 => {
                let at = pick("at", bytes.len() as u64);
                bytes[at] = pick("byte", 256) as u8;
            }
            1 => bytes.truncate(pick("cut", bytes.len() as u64)),
            _ => {}
        }
        bytes
    }

    #[test]
    fn odd_requests_get_a_refusal_or_a_file_of_the_page_and_the_server_lives_on() {
        let server = Running::start();
        for i in 0..300 {
            let request = odd_request(Seed(i), server.port);
            let answer = server.send(&request, Duration::from_millis(60));
            let text = String::from_utf8_lossy(&answer);
            let shown = String::from_utf8_lossy(&request);
            if !text.is_empty() {
                let code = status(&text);
                assert!(
                    [200, 400, 404, 405, 413, 414, 421, 431, 505].contains(&code),
                    "{i}: {shown:?}: {text}"
                );
                if code == 200 {
                    let file =
                        FILES.iter().any(|(_, bytes)| answer.ends_with(bytes)) || text.ends_with("\r\n\r\n");
                    assert!(file, "{i}: {shown:?}: {text}");
                }
            }
        }
        assert_eq!(status(&server.get("GET / HTTP/1.1", "")), 200);
    }
}
