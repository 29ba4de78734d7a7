//! The arrays of a map, whether they come from tiles or from layers.

use crate::check::RuleResult;
use weald_core::AnyGrid;

/// The arrays of a map, row-major, each empty if it is not known, under the names of their layers.
macro_rules! arrays {
    ($($name:ident: $type:ty, $kind:ident;)*) => {
        /// All that is known of a map.
        #[derive(Clone, Debug, Default)]
        pub(in crate::check) struct Tiles {
            /// Tiles in a row.
            pub(in crate::check) columns: usize,
            /// Number of rows.
            pub(in crate::check) rows: usize,
            /// First species + 1, and second species + 1 in the high half; 0 for none. Only tiles have it.
            pub(super) dominant: Vec<u8>,
            $(pub(super) $name: Vec<$type>,)*
        }

        impl Tiles {
            /// Takes over a layer. False if it has no name or type that is known here.
            pub(super) fn set_layer(&mut self, name: &str, array: AnyGrid) -> bool {
                match (name, array) {
                    $((stringify!($name), AnyGrid::$kind(g)) => self.$name = g.into_vec(),)*
                    _ => return false,
                }
                true
            }

            /// Whether the array of this name is known.
            pub(super) fn has(&self, name: &str) -> bool {
                match name {
                    "dominant" => !self.dominant.is_empty(),
                    $(stringify!($name) => !self.$name.is_empty(),)*
                    _ => false,
                }
            }

            /// Puts tile `order[i]` at place i.
            pub(super) fn reorder(&mut self, order: &[usize]) {
                fn pick<T: Copy>(cells: &mut Vec<T>, order: &[usize]) {
                    if !cells.is_empty() {
                        *cells = order.iter().map(|&i| cells[i]).collect();
                    }
                }
                pick(&mut self.dominant, order);
                $(pick(&mut self.$name, order);)*
            }

            /// Compares every array that both know.
            pub(super) fn compare(&self, layers: &Tiles, rule: &mut RuleResult) {
                $(if !self.$name.is_empty() && !layers.$name.is_empty() {
                    for (i, (a, b)) in self.$name.iter().zip(&layers.$name).enumerate() {
                        rule.check(a == b, Some((i % self.columns, i / self.columns)), || {
                            format!("{} is {a} in the tiles and {b} in the layer", stringify!($name))
                        });
                    }
                })*
            }
        }
    };
}

arrays! {
    height: f32, F32;
    roughness: f32, F32;
    vegetation_variance: f32, F32;
    slope: f32, F32;
    aspect_deg: f32, F32;
    landform: u8, U8;
    flow_direction: u8, U8;
    flow_accumulation: u32, U32;
    flow_accumulation_log: f32, F32;
    lake_mask: u8, U8;
    stream_mask: u8, U8;
    lake_id: u32, U32;
    water_distance: u16, U16;
    moisture: f32, F32;
    water_class: u8, U8;
    biome: u8, U8;
    soil: u8, U8;
    tree_density: f32, F32;
    canopy_cover: f32, F32;
    firmness: f32, F32;
    obstruction: f32, F32;
    surface_flags: u8, U8;
    feature_flags: u8, U8;
    game_trail: u8, U8;
    game_trail_id: i32, I32;
    visibility_m: f32, F32;
    orientation_reliability: f32, F32;
    move_cost: f32, F32;
    passability: u16, U16;
    followable: u8, U8;
    cliff_edge: u8, U8;
}
