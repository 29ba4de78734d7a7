//! Every golden point of the original world, to the bit.

use weald::core::Seed;
use weald::world::endless::{Endless, EndlessParams};

fn every_row_matches(file: &str, text: &str, params: EndlessParams) {
    let world = Endless::new(Seed(0), &params).unwrap();
    let mut rows = 0;
    for line in text.lines().skip(1).filter(|l| !l.is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        let [x, y, height, depth] = [0, 1, 2, 3].map(|i| cells[i].parse::<f64>().unwrap());
        let terra = world.terra(x, y);
        assert_eq!(terra.height.to_bits(), height.to_bits(), "{file}: {line}");
        assert_eq!(terra.depth.to_bits(), depth.to_bits(), "{file}: {line}");
        assert_eq!(terra.terrain.name(), cells[4].to_lowercase(), "{file}: {line}");
        assert_eq!(terra.feature.name(), cells[5].to_lowercase(), "{file}: {line}");
        assert_eq!(terra.code.as_ref().map_or("", |c| c.as_str()), cells[6], "{file}: {line}");
        rows += 1;
    }
    assert!(rows > 900, "{file} has {rows} rows");
}

macro_rules! golden {
    ($name:ident, $file:literal, $params:expr) => {
        #[test]
        fn $name() {
            every_row_matches($file, include_str!(concat!("../data/relf/", $file)), $params);
        }
    };
}

golden!(the_original_world_is_exact, "default.csv", EndlessParams::default());
golden!(paths_are_exact, "paths.csv", EndlessParams { paths: true, ..Default::default() });
golden!(drained_lakes_are_exact, "lake150.csv", EndlessParams { lake_level: 150.0, ..Default::default() });
golden!(risen_lakes_are_exact, "lake230.csv", EndlessParams { lake_level: 230.0, ..Default::default() });
golden!(wood_alone_is_exact, "wood-only.csv", EndlessParams { wood_only: true, ..Default::default() });
