//! What holds for every endless world.

use proptest::prelude::*;
use weald::core::{Ctx, Seed};
use weald::world::endless::{Endless, EndlessParams, Terrain, Window};

fn params() -> impl Strategy<Value = EndlessParams> {
    let flags = (any::<bool>(), any::<bool>(), 0..8u8);
    (flags, 0.0..500.0f64, prop_oneof![Just(0i64), -100_000..100_000i64]).prop_map(
        |((paths, wood_only, bleak), lake_level, time)| EndlessParams {
            paths,
            wood_only,
            bleak: bleak == 0,
            lake_level,
            time,
            placed: "cone 3 -2;none 5 5;rocket -1 0;road -20 -30 40 25 41 60".into(),
            ..Default::default()
        },
    )
}

/// Near the origin, on its axes, and far out.
fn coordinate() -> impl Strategy<Value = i64> {
    prop_oneof![-60i64..60, -40_000i64..40_000, -999_999_000i64..999_999_000, Just(-1_000_000_000i64)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn a_window_equals_its_places(
        p in params(), seed in 0u64..3, west in coordinate(), north in coordinate(),
        width in 1usize..70, height in 1usize..40,
    ) {
        let north = north.max(height as i64 - 1_000_000_000);
        let world = Endless::new(Seed(seed), &p).unwrap();
        let window = Window { west, north, width, height };
        let survey = world.survey(&window, &Ctx::default()).unwrap();
        let ground = world.heights(&window, &Ctx::default()).unwrap();
        for r in 0..height {
            for c in 0..width {
                let (x, y) = window.place(c, r);
                let terra = world.terra(x as f64, y as f64);
                let cell = (c, r);
                prop_assert_eq!(survey.height[cell].to_bits(), (terra.height as f32).to_bits());
                prop_assert_eq!(survey.depth[cell].to_bits(), (terra.depth as f32).to_bits());
                prop_assert_eq!(survey.terrain[cell], terra.terrain as u8);
                prop_assert_eq!(survey.feature[cell], terra.feature as u8);
                prop_assert_eq!(ground[cell] as f64, world.ground_height(x as f64, y as f64));
            }
        }
        let found = world.find(&window, |_| true, &Ctx::default()).unwrap();
        let stands = survey.feature.cells().iter().filter(|&&f| f != 0).count();
        prop_assert_eq!(found.len(), stands);
        for (place, feature) in found {
            prop_assert_eq!(survey.feature[window.cell(place).unwrap()], feature as u8);
        }
    }
}

#[test]
fn every_seed_has_the_character_of_the_original() {
    for seed in 0..=50u64 {
        let world = Endless::new(Seed(seed), &EndlessParams::default()).unwrap();
        let points = 20_000;
        let (mut lake, mut wood) = (0, 0);
        for k in 0..points {
            let at = |axis| Seed(seed).of("points").unit_at(k, axis) * 2e6 - 1e6;
            match world.terra(at(0), at(1)).terrain {
                Terrain::Lake => lake += 1,
                Terrain::Wood => wood += 1,
                _ => {}
            }
        }
        let share = |n: i32| n as f64 / points as f64;
        assert!((0.08..=0.16).contains(&share(lake)), "seed {seed}: lakes cover {}", share(lake));
        assert!((0.45..=0.60).contains(&share(wood)), "seed {seed}: wood covers {}", share(wood));
        let window = Window { west: -512, north: 70_000, width: 1024, height: 1024 };
        let found = world.find(&window, |_| true, &Ctx::default()).unwrap().len();
        assert!((100..300).contains(&found), "seed {seed}: {found} features in a square kilometre");
    }
}
