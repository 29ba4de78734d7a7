//! Terrains and features: codes, names and colours. The codes are the positions in the document's lists.

use crate::catalogue::Class;

/// Declares an enum whose variants are byte codes with a name and a colour.
macro_rules! kinds {
    ($(#[$doc:meta])* $kind:ident, $(#[$table_doc:meta])* $table:ident :
     $($(#[$item:meta])* $variant:ident = $value:literal $name:literal $colour:expr;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $kind { $($(#[$item])* $variant = $value),* }

        $(#[$table_doc])*
        pub const $table: &[Class] = &[$(Class { value: $value, name: $name, colour: $colour }),*];

        impl $kind {
            const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// Its name, as in the document's list, in lower case.
            pub fn name(self) -> &'static str {
                $table[self as usize].name
            }

            /// The variant with that name.
            pub fn of_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|k| k.name() == name)
            }

            /// The variant with that code.
            pub fn of_code(code: u8) -> Option<Self> {
                Self::ALL.get(code as usize).copied()
            }
        }
    };
}

kinds! {
    /// What covers the ground.
    Terrain,
    /// Terrains as classes.
    TERRAINS:
    /// Water above the ground.
    Lake = 0 "lake" [94, 168, 222];
    /// Paved, with buildings.
    Town = 1 "town" [226, 196, 164];
    /// Open grass.
    Grass = 2 "grass" [255, 208, 92];
    /// Rough open ground.
    Moor = 3 "moor" [228, 190, 120];
    /// Runnable wood.
    Wood = 4 "wood" [250, 250, 246];
    /// Dense growth.
    Thicket = 5 "thicket" [112, 196, 108];
    /// Paved road.
    Road = 6 "road" [150, 110, 80];
    /// The bed of a lake that was drained.
    Mud = 7 "mud" [170, 150, 120];
    /// Paving where two surfaces meet.
    Path = 8 "path" [150, 150, 150];
    /// Running water.
    Stream = 9 "stream" [40, 130, 210];
    /// Wet ground.
    Marsh = 10 "marsh" [150, 206, 220];
    /// Barren: the bleak world has nothing else.
    Z = 11 "z" [206, 202, 196];
    /// A house. Only on the surface layer.
    Building = 12 "building" [60, 60, 60];
    /// Road above water. Only on the surface layer.
    Bridge = 13 "bridge" [110, 70, 50];
    /// Nothing: beside the islands in the sky. Only on their layer.
    Sky = 14 "sky" [190, 216, 236];
}

kinds! {
    /// What stands at a point.
    Feature,
    /// Features as classes.
    FEATURES:
    /// Nothing.
    None = 0 "none" [244, 244, 240];
    /// A mine shaft, or a cave mouth on steep ground.
    Mine = 1 "mine" [20, 20, 20];
    /// A boulder.
    Boulder = 2 "boulder" [90, 90, 90];
    /// An upturned tree.
    Root = 3 "root" [60, 150, 60];
    /// A pond, from which a stream may run.
    Waterhole = 4 "waterhole" [30, 120, 220];
    /// A small mound.
    Knoll = 5 "knoll" [190, 100, 30];
    /// Something man-made.
    X = 6 "x" [200, 30, 30];
    /// A traffic cone, which can be moved. Roads start at cones.
    Cone = 7 "cone" [250, 120, 20];
    /// A rocket or helicopter: placed only.
    Rocket = 8 "rocket" [140, 60, 200];
    /// A building: placed only.
    Building = 9 "building" [60, 60, 60];
    /// A telephone box: placed only.
    T = 10 "t" [220, 0, 60];
}

/// The letters of an orienteering control: (|x| mod 26, |y| mod 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code([u8; 2]);

impl Code {
    /// The code at a whole place.
    pub fn at(x: i64, y: i64) -> Self {
        Self([x, y].map(|v| b'A' + (v.unsigned_abs() % 26) as u8))
    }

    /// Two capital letters, in ASCII.
    pub fn letters(&self) -> [u8; 2] {
        self.0
    }

    /// Two capital letters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("letters are ASCII")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back_to_their_kind() {
        for (code, class) in TERRAINS.iter().enumerate() {
            let kind = Terrain::of_code(code as u8).unwrap();
            assert_eq!((kind as usize, class.value as usize, kind.name()), (code, code, class.name));
            assert_eq!(Terrain::of_name(class.name), Some(kind));
        }
        for (code, class) in FEATURES.iter().enumerate() {
            assert_eq!(Feature::of_code(code as u8).map(Feature::name), Some(class.name));
        }
        assert_eq!(Terrain::of_code(99), None);
        assert_eq!(Code::at(-27, 51).as_str(), "BZ");
    }
}
