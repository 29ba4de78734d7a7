//! Contact sheets: small maps of many seeds on one picture.

use super::Job;
use crate::error::{Error, Result};
use crate::render::contact::Contact;
use crate::render::{Image, Picture};
use crate::style::DrawOptions;
use weald_core::Ctx;

/// Seeds that a contact sheet may have.
pub const MOST_SEEDS: usize = 64;

/// Pixels along the longer side of each map of a contact sheet.
pub const SHEET_PX: std::ops::RangeInclusive<usize> = 64..=1024;

/// The seeds of a contact sheet, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(Vec<u64>);

impl Seeds {
    /// `A..B`, both included, or numbers with commas between.
    ///
    /// ```
    /// use weald::job::sheet::Seeds;
    /// assert_eq!(Seeds::parse("1..12")?.as_slice().len(), 12);
    /// assert_eq!(Seeds::parse("3,7,19")?.as_slice(), [3, 7, 19]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let number = |n: &str| n.trim().parse::<u64>().ok();
        let wrong =
            || "must be FROM..TO, such as 1..12, or seeds with commas between, such as 3,7,19".to_owned();
        let many = |n: u128| format!("these are {n} seeds; a sheet has at most {MOST_SEEDS}");
        if let Some((from, to)) = text.split_once("..") {
            let (from, to) = (number(from).ok_or_else(wrong)?, number(to).ok_or_else(wrong)?);
            if to < from {
                return Err(format!("{to} is less than {from}; give the smaller seed first"));
            }
            let count = u128::from(to - from) + 1;
            if count > MOST_SEEDS as u128 {
                return Err(many(count));
            }
            return Ok(Self((from..=to).collect()));
        }
        let list: Vec<u64> = text.split(',').map(number).collect::<Option<_>>().ok_or_else(wrong)?;
        match list.len() {
            n if n > MOST_SEEDS => Err(many(n as u128)),
            _ => Ok(Self(list)),
        }
    }

    /// The seeds.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

/// How a contact sheet looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetPlan {
    /// Pixels along the longer side of each map: [`SHEET_PX`]. Maps have whole pixels for each cell, so that they may be smaller.
    pub px: usize,
    /// Columns of maps; `None` for a page a third wider than high.
    pub columns: Option<usize>,
    /// Name of the recipe, for the title.
    pub recipe: Option<String>,
}

impl Default for SheetPlan {
    fn default() -> Self {
        Self { px: 256, columns: None, recipe: None }
    }
}

/// A contact sheet: the page, and where its maps are.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSheet {
    /// The page.
    pub image: Image,
    /// Where everything lies on it.
    pub page: Contact,
}

impl Job {
    /// Makes this world with each of the seeds, one after the other, and draws all of them on one page without their own sheets
    /// ([`super::Output::draw_bare`]).
    pub fn contact_sheet(&self, seeds: &Seeds, plan: &SheetPlan, ctx: &Ctx) -> Result<ContactSheet> {
        if !SHEET_PX.contains(&plan.px) {
            let (least, most) = (SHEET_PX.start(), SHEET_PX.end());
            return Err(Error::Invalid(format!(
                "--px {}: must be between {least} and {most} pixels",
                plan.px
            )));
        }
        if plan.columns == Some(0) {
            return Err(Error::Invalid("--columns 0: must be at least 1".into()));
        }
        let options = DrawOptions { px: Some(plan.px), ..self.recipe.draw.clone() };
        let mut size = self.recipe.size;
        let pictures = ctx.stage("seeds", |c| {
            let mut pictures: Vec<Image> = Vec::new();
            for &seed in seeds.as_slice() {
                let output = self.clone().seed(seed).run(&c.quiet())?;
                size = output.recipe.size;
                match output.draw_bare(&options, &c.quiet())? {
                    Picture::Opaque(image) => pictures.push(image),
                    Picture::Transparent(_) => {
                        let message =
                            "this view is transparent and cannot stand on a contact sheet; use another view";
                        return Err(Error::Invalid(message.into()));
                    }
                }
                c.tick(pictures.len(), seeds.as_slice().len());
            }
            Ok(pictures)
        })?;
        let room = pictures.iter().fold((1, 1), |(w, h), p| (p.width().max(w), p.height().max(h)));
        let captions = seeds.as_slice().iter().map(|seed| format!("Seed {seed}")).collect();
        let (title, subtitle) = self.sheet_title(plan, size, seeds.as_slice().len());
        let page = Contact::new((&title, &subtitle), captions, plan.columns, room);
        Ok(ContactSheet { image: page.drawn(&pictures), page })
    }

    /// "Island" and "Recipe continent · 12 seeds · 256 × 256 cells".
    fn sheet_title(&self, plan: &SheetPlan, (w, h): (usize, usize), seeds: usize) -> (String, String) {
        let name = self.recipe.world.info().name;
        let title: String =
            name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
        let recipe = match &plan.recipe {
            Some(recipe) => format!("Recipe {recipe} \u{b7} "),
            None => String::new(),
        };
        let count = if seeds == 1 { "1 seed".to_owned() } else { format!("{seeds} seeds") };
        (title, format!("{recipe}{count} \u{b7} {w} \u{d7} {h} cells"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_with_both_ends_or_a_list() {
        let of = |text: &str| Seeds::parse(text).map(|s| s.0);
        assert_eq!(of("1..3"), Ok(vec![1, 2, 3]));
        assert_eq!(of("7"), Ok(vec![7]));
        assert_eq!(of("3, 7,19"), Ok(vec![3, 7, 19]));
        assert_eq!(of("1..64").map(|s| s.len()), Ok(64));
        for (text, says) in [
            ("", "must be FROM..TO"),
            ("a..3", "must be FROM..TO"),
            ("1..", "must be FROM..TO"),
            ("1,,2", "must be FROM..TO"),
            ("-1..3", "must be FROM..TO"),
            ("9..3", "give the smaller seed first"),
            ("1..65", "these are 65 seeds; a sheet has at most 64"),
            ("0..18446744073709551615", "these are 18446744073709551616 seeds"),
        ] {
            let message = of(text).unwrap_err();
            assert!(message.contains(says), "{text}: {message}");
        }
    }

    #[test]
    fn every_map_of_the_sheet_is_the_bare_map_of_its_seed() {
        let ctx = Ctx::default();
        for (world, side) in [("island", 48), ("forest", 40), ("planet", 6), ("galaxy", 40)] {
            let mut job = Job::new(world).unwrap().size(side);
            if world == "planet" {
                job = job.set("radius_m", 150).unwrap();
            }
            let (seeds, plan) =
                (Seeds::parse("3,1,8").unwrap(), SheetPlan { px: 96, ..SheetPlan::default() });
            let sheet = job.contact_sheet(&seeds, &plan, &ctx).unwrap();
            assert_eq!((sheet.image.width(), sheet.image.height()), sheet.page.size());
            for (k, &seed) in seeds.as_slice().iter().enumerate() {
                let options = DrawOptions { px: Some(96), ..DrawOptions::default() };
                let output = job.clone().seed(seed).run(&ctx).unwrap();
                let Picture::Opaque(bare) = output.draw_bare(&options, &ctx).unwrap() else {
                    panic!("maps are opaque")
                };
                let part = sheet.image.part(sheet.page.corner(k), (bare.width(), bare.height()));
                assert!(part == bare, "{world}, seed {seed}");
                assert!(bare.width().max(bare.height()) <= 96, "{world}: {}", bare.width());
            }
        }
    }
}
