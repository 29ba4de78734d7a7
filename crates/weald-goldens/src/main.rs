//! Prints the golden hashes, computed with the number of threads given.

fn main() -> std::process::ExitCode {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    match pool
        .map_err(|e| e.to_string())
        .and_then(|p| p.install(weald_goldens::lines).map_err(|e| e.to_string()))
    {
        Ok(lines) => {
            print!("{lines}");
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
