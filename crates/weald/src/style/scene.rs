//! Views in three dimensions, as data. The page of `weald explore` shows them.

/// The view of a world in three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// The layer `height` as relief with water, and the map draped over it.
    Relief,
    /// Ground to walk on, for a world whose tiles are made where they are needed.
    Walk,
    /// A globe.
    Globe {
        /// The view around it, in latitudes and longitudes.
        view: &'static str,
        /// The parameter that holds the height of its sea.
        sea_level: &'static str,
    },
    /// Points in space to fly through, and gas between them.
    Space {
        /// The set of points, with the properties `x`, `y`, `z`, `magnitude`, `planets` and `colour`.
        points: &'static str,
        /// Layers of gas, from the nearest to the furthest.
        gas: &'static [&'static str],
    },
}
