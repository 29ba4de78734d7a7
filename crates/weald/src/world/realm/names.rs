//! Names of settlements, rivers, ranges and seas: syllables by culture, none twice in a realm.

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

/// What is wrong with names that were given, one on each line.
pub(super) fn problems(given: &str) -> Vec<Problem> {
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
    first.into_iter().map(|what| Problem::new("names.settlements", given, what)).collect()
}

/// Makes names, none twice.
pub struct NameMaker<'a> {
    seed: Seed,
    syllables: &'static Syllables,
    given: std::str::Lines<'a>,
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
        Self { seed, syllables, given: p.settlements.lines(), used: BTreeSet::new(), count: 0 }
    }

    /// The name of a settlement: the next that was given, or a new one.
    pub fn settlement(&mut self) -> String {
        for line in self.given.by_ref() {
            let name = line.trim().to_owned();
            if !name.is_empty() && self.used.insert(name.clone()) {
                return name;
            }
        }
        self.new_name(self.syllables.place, |root| root)
    }

    /// The name of a river.
    pub fn river(&mut self) -> String {
        self.new_name(self.syllables.wild, |root| root)
    }

    /// The name of a range of mountains.
    pub fn range(&mut self) -> String {
        self.new_name(self.syllables.wild, |root| format!("{root} Mountains"))
    }

    /// The name of a lake.
    pub fn lake(&mut self) -> String {
        self.new_name(self.syllables.wild, |root| format!("Lake {root}"))
    }

    /// The name of a part of the ocean.
    pub fn sea(&mut self) -> String {
        self.new_name(self.syllables.wild, |root| format!("Sea of {root}"))
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
            if self.used.insert(name.clone()) {
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
            let p = Names { culture, settlements: "Rome\n\n Ostia \nRome\n".into() };
            let mut maker = NameMaker::new(Seed(5), &p);
            assert_eq!([maker.settlement(), maker.settlement()], ["Rome", "Ostia"]);
            let mut all = BTreeSet::from(["Rome".to_owned(), "Ostia".to_owned()]);
            for _ in 0..3000 {
                for name in [maker.settlement(), maker.river(), maker.range(), maker.lake(), maker.sea()] {
                    assert!(name.len() > 2 && name.is_ascii(), "{name}");
                    assert!(all.insert(name.clone()), "{name} comes twice");
                }
            }
        }
    }

    #[test]
    fn names_with_control_characters_and_very_long_ones_are_refused() {
        for (given, told) in [
            ("Rome\nA\u{7}B", "line 2 holds a control character"),
            ("Rome\rOstia", "line 1 holds a control character"),
            (&"x".repeat(61), "line 1 is too long"),
        ] {
            let problems = problems(given);
            assert!(problems[0].message.starts_with(told), "{problems:?}");
        }
        assert_eq!(problems("Rome\r\n\nVeii\r\n東京"), []);
    }

    #[test]
    fn letters_do_not_pile_up() {
        assert_eq!(without_triples("Hallley"), "Halley");
        assert_eq!(without_triples("Aear"), "Aear");
        assert_eq!(without_triples("Naaro"), "Naro");
    }
}
