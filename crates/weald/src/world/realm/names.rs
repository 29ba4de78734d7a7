//! Names of settlements, rivers, ranges, lakes and seas: those that are given, then syllables by culture, none twice in a realm.

use super::params::{Culture, Names};
use crate::error::Problem;
use std::collections::BTreeSet;
use weald_core::Seed;

/// The syllables of a culture.
struct Syllables {
    first: &'static [&'static str],
    middle: &'static [&'static str],
    /// Ends of the names of places.
    place: &'static [&'static str],
    /// Ends of the names of waters and ranges.
    wild: &'static [&'static str],
}

const NORTHERN: Syllables = Syllables {
    first: &[
        "Ash", "Bar", "Brand", "Bram", "Cold", "Crag", "Dun", "Eld", "Fal", "Fen", "Garth", "Grim", "Hal",
        "Har", "Hol", "Keld", "Kirk", "Lang", "Mar", "Nor", "Oak", "Oster", "Rav", "Red", "Ros", "Scar",
        "Skel", "Stan", "Stor", "Thorn", "Ul", "Wal", "Wend", "West", "Whit", "Wulf",
    ],
    middle: &["", "", "", "en", "er", "ing", "mer", "el", "ra", "o"],
    place: &[
        "by", "dale", "den", "fell", "field", "ford", "gate", "ham", "hold", "holm", "hurst", "ley", "mere",
        "mouth", "ness", "stead", "thorpe", "ton", "wick", "worth", "stow", "combe",
    ],
    wild: &["ar", "eld", "en", "ik", "or", "und", "ath", "orn", "esk", "ald"],
};

const SOUTHERN: Syllables = Syllables {
    first: &[
        "Al", "Ama", "Ar", "Bel", "Ber", "Cal", "Cas", "Cor", "Dor", "El", "Fior", "Gal", "Lor", "Luc",
        "Mar", "Mira", "Mon", "Nar", "Ol", "Pal", "Per", "Por", "Ren", "Sal", "San", "Ser", "Sol", "Tar",
        "Tor", "Val", "Ver", "Vi", "Zar",
    ],
    middle: &["", "a", "e", "i", "o", "an", "er", "is", "on", "ta", "ve", "do"],
    place: &[
        "bria", "cia", "dena", "dorra", "gano", "lano", "lia", "mena", "mera", "nara", "ra", "rezza", "rino",
        "sano", "tella", "tino", "vara", "vento", "via", "zia",
    ],
    wild: &["ano", "aro", "ena", "era", "ino", "ola", "ora", "une", "ava", "elo"],
};

const EASTERN: Syllables = Syllables {
    first: &[
        "Ae", "Ai", "Ani", "Ara", "Cae", "Dae", "Ela", "Eri", "Ha", "Hai", "Ila", "Ina", "Isu", "Ka", "Kei",
        "La", "Lei", "Ly", "Ma", "Mi", "Na", "Nei", "Ny", "Ori", "Sa", "Sei", "Ta", "Tei", "Uma", "Vae",
        "Ya", "Yu",
    ],
    middle: &["", "la", "li", "lo", "na", "ne", "ri", "ro", "sha", "tha", "va", "ve", "mi", "su"],
    place: &[
        "dor", "hara", "lan", "lin", "lor", "mar", "mora", "nor", "rai", "ran", "rin", "riel", "ssa", "than",
        "thil", "vela", "wen", "yama", "zan",
    ],
    wild: &["el", "ien", "ith", "iya", "oa", "une", "ure", "ai", "ael", "ora"],
};

/// Characters of the longest name that can be given.
const LONGEST: usize = 60;

/// What is wrong with names that were given for the parameter at a path, one on each line.
fn problems(path: &'static str, given: &str) -> Option<Problem> {
    let wrong = |(k, line): (usize, &str)| {
        let (line, row) = (line.trim(), k + 1);
        if line.chars().any(char::is_control) {
            Some(format!("line {row} holds a control character; write one name on each line"))
        } else if line.chars().count() > LONGEST {
            Some(format!("line {row} is too long; a name has at most {LONGEST} characters"))
        } else {
            None
        }
    };
    let first = given.lines().enumerate().find_map(wrong);
    first.map(|what| Problem::new(path, given, what))
}

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A settlement.
    Settlement,
    /// A river.
    River,
    /// A range of mountains.
    Range,
    /// A lake.
    Lake,
    /// A part of the ocean.
    Sea,
}

impl Names {
    /// The names that are given for each kind, in the order of [`Named`], with the paths of their parameters.
    fn given(&self) -> [(&'static str, &str); 5] {
        [
            ("names.settlements", &self.settlements),
            ("names.rivers", &self.rivers),
            ("names.ranges", &self.ranges),
            ("names.lakes", &self.lakes),
            ("names.seas", &self.seas),
        ]
    }

    /// What is wrong with the names that are given.
    pub(super) fn problems(&self) -> impl Iterator<Item = Problem> {
        self.given().into_iter().filter_map(|(path, given)| problems(path, given))
    }
}

/// The names on the lines of a text.
fn names_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|name| !name.is_empty())
}

/// Makes names, none twice.
pub struct NameMaker<'a> {
    seed: Seed,
    syllables: &'static Syllables,
    /// The names that are given for each kind and not yet used, the last first.
    given: [Vec<&'a str>; 5],
    /// All that are given, which no other name may equal.
    reserved: BTreeSet<&'a str>,
    used: BTreeSet<String>,
    count: i64,
}

impl<'a> NameMaker<'a> {
    /// A maker of names for one realm.
    pub fn new(seed: Seed, p: &'a Names) -> Self {
        let syllables = match p.culture {
            Culture::Northern => &NORTHERN,
            Culture::Southern => &SOUTHERN,
            Culture::Eastern => &EASTERN,
            Culture::Any => [&NORTHERN, &SOUTHERN, &EASTERN][(seed.at(0, -1) % 3) as usize],
        };
        let mut given = p.given().map(|(_, text)| names_of(text).collect::<Vec<_>>());
        let reserved = given.iter().flatten().copied().collect();
        given.iter_mut().for_each(|names| names.reverse());
        Self { seed, syllables, given, reserved, used: BTreeSet::new(), count: 0 }
    }

    /// The name of something: the next that is given for its kind, or a new one.
    pub fn name(&mut self, kind: Named) -> String {
        while let Some(name) = self.given[kind as usize].pop() {
            if self.used.insert(name.to_owned()) {
                return name.to_owned();
            }
        }
        match kind {
            Named::Settlement => self.new_name(self.syllables.place, |root| root),
            Named::River => self.new_name(self.syllables.wild, |root| root),
            Named::Range => self.new_name(self.syllables.wild, |root| format!("{root} Mountains")),
            Named::Lake => self.new_name(self.syllables.wild, |root| format!("Lake {root}")),
            Named::Sea => self.new_name(self.syllables.wild, |root| format!("Sea of {root}")),
        }
    }

    /// A name that was not used yet. After many attempts a syllable more makes it longer.
    fn new_name(&mut self, ends: &[&str], dress: impl Fn(String) -> String) -> String {
        for attempt in 0.. {
            self.count += 1;
            let pick = |list: &[&'static str], k: i64| {
                list[(self.seed.at(self.count, k) % list.len() as u64) as usize]
            };
            let mut root = String::from(pick(self.syllables.first, 0));
            root.push_str(pick(self.syllables.middle, 1));
            for extra in 0..attempt / 20 {
                root.push_str(pick(self.syllables.middle, 3 + extra));
            }
            let end = ends[(self.seed.at(self.count, 2) % ends.len() as u64) as usize];
            root.push_str(end);
            let name = dress(without_triples(&root));
            if !self.reserved.contains(&name[..]) && self.used.insert(name.clone()) {
                return name;
            }
        }
        unreachable!("names grow longer until one is new")
    }
}

/// A word in which no letter stands three times in a row, nor a vowel twice where syllables meet.
fn without_triples(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        let mut last = out.chars().rev();
        let (one, two) = (last.next(), last.next());
        let same = one.is_some_and(|l| l.eq_ignore_ascii_case(&c));
        let vowel = "aeiou".contains(c.to_ascii_lowercase());
        if same && (vowel || two.is_some_and(|l| l.eq_ignore_ascii_case(&c))) {
            continue;
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_comes_twice_and_given_names_come_first() {
        for culture in [Culture::Any, Culture::Northern, Culture::Southern, Culture::Eastern] {
            let p = Names {
                culture,
                settlements: "Rome\n\n Ostia \nRome\n".into(),
                rivers: "Tiber\r\nRome\r\nArno".into(),
                ..Names::default()
            };
            let mut maker = NameMaker::new(Seed(5), &p);
            let mut first = |kind: Named| [maker.name(kind), maker.name(kind)];
            assert_eq!(first(Named::Settlement), ["Rome", "Ostia"]);
            assert_eq!(first(Named::River), ["Tiber", "Arno"]);
            let mut all = BTreeSet::from(["Rome", "Ostia", "Tiber", "Arno"].map(String::from));
            for _ in 0..3000 {
                for kind in [Named::Settlement, Named::River, Named::Range, Named::Lake, Named::Sea] {
                    let name = maker.name(kind);
                    assert!(name.len() > 2 && name.is_ascii(), "{name}");
                    assert!(all.insert(name.clone()), "{name} comes twice");
                }
            }
        }
    }

    #[test]
    fn a_name_that_is_given_for_one_kind_is_made_for_no_other() {
        let settlement = |p: &Names| NameMaker::new(Seed(5), p).name(Named::Settlement);
        let free = settlement(&Names::default());
        let p = Names { rivers: free.clone(), ..Names::default() };
        assert_ne!(settlement(&p), free);
    }

    #[test]
    fn names_with_control_characters_and_very_long_ones_are_refused() {
        let told = |seas: &str| {
            let p = Names { seas: seas.into(), ..Names::default() };
            p.problems().map(|p| (p.path, p.message)).collect::<Vec<_>>()
        };
        for (given, wanted) in [
            ("Rome\nA\u{7}B", "line 2 holds a control character"),
            ("Rome\rOstia", "line 1 holds a control character"),
            (&"x".repeat(61), "line 1 is too long"),
        ] {
            let found = told(given);
            assert!(found[0].0 == "names.seas" && found[0].1.starts_with(wanted), "{found:?}");
        }
        assert_eq!(told("Rome\r\n\nVeii\r\n東京"), []);
    }

    #[test]
    fn letters_do_not_pile_up() {
        assert_eq!(without_triples("Hallley"), "Halley");
        assert_eq!(without_triples("Aear"), "Aear");
        assert_eq!(without_triples("Naaro"), "Naro");
    }
}
