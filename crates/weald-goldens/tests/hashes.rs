//! The golden hashes, with assertions on and any number of threads. `cargo xtask goldens` compares the optimised build and WASM.

use std::path::Path;

#[test]
fn every_golden_hash_is_the_expected_one_with_1_2_and_7_threads() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/goldens/hashes.txt");
    let expected = std::fs::read_to_string(file).unwrap();
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(weald_goldens::lines).unwrap();
        let wrong: Vec<&str> = found.lines().filter(|line| !expected.lines().any(|e| e == *line)).collect();
        assert!(wrong.is_empty(), "{threads} threads: {} differ, such as {:?}", wrong.len(), &wrong[..1]);
        assert_eq!(found, expected, "{threads} threads: other lines or another order");
    }
}
