//! Parameters: one typed description per world gives validation, `--set`, JSON schema and commented recipes.
//!
//! A world's parameters are a tree of structs with [`Default`], serde and [`schemars`] ranges. [`ParamTree`] holds the
//! values as they are put together from several sources, remembers where each came from, and refuses what the
//! schema does not allow, with path, value and range.

mod schema;

pub use crate::error::Problem;
pub use schema::{aliases, camel_case, range_text, rename_keys};

use crate::error::{Error, Result};
use schema::{collect_leaves, fit, rename_properties, schema_of, snake_case, with_aliases};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The parameters of a world.
pub trait Params: Serialize + DeserializeOwned + Default + JsonSchema + 'static {
    /// Other names under which a parameter may be given, such as those of the source document: (alias path, path). An alias that
    /// is listed with several paths is refused, with all of them. The schema of a parameter lists its aliases as `x-aliases`.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];

    /// Problems that the ranges of single values cannot express. Called when every value is in its range.
    fn problems(&self) -> Vec<Problem>;

    /// Fails with every problem of parameters that were put together in code.
    fn validate(&self) -> Result<()> {
        let mut defaults = ParamTree::of::<Self>();
        if let Ok(Value::Object(values)) = serde_json::to_value(self) {
            defaults.merge(&values, "parameters", &|_| None);
        }
        defaults.finish::<Self>().map(drop)
    }
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// `--set`, a file, a file with line and column.
    pub source: String,
    /// The path as it was written there.
    pub spelled: String,
}

/// One parameter: a leaf of the tree.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Dotted path in snake_case.
    pub path: String,
    /// Its schema: type, description, range, `x-unit`.
    pub schema: Value,
    /// Its default.
    pub default: Value,
}

/// Values of a world's parameters, with their origins.
#[derive(Clone, Debug)]
pub struct ParamTree {
    values: Value,
    defaults: Value,
    schema: Value,
    aliases: &'static [(&'static str, &'static str)],
    origins: BTreeMap<String, Origin>,
    problems: Vec<Problem>,
}

impl ParamTree {
    /// The defaults. The schema of a type is made once.
    pub fn of<P: Params>() -> Self {
        static MADE: Mutex<BTreeMap<TypeId, ParamTree>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.entry(TypeId::of::<P>()).or_insert_with(Self::make::<P>).clone()
    }

    fn make<P: Params>() -> Self {
        let defaults = serde_json::to_value(P::default()).expect("parameters are plain data");
        Self {
            values: defaults.clone(),
            defaults,
            schema: with_aliases(schema_of::<P>(), P::ALIASES),
            aliases: P::ALIASES,
            origins: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// JSON schema of the parameter object, in snake_case.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// JSON schema of the parameter object under the document's camelCase names.
    pub fn schema_camel(&self) -> Value {
        let mut out = self.schema.clone();
        rename_properties(&mut out);
        out
    }

    /// The values as they stand.
    pub fn values(&self) -> &Value {
        &self.values
    }

    /// Where the value at `path` came from; `None` for a default.
    pub fn origin(&self, path: &str) -> Option<&Origin> {
        self.origins.get(path)
    }

    /// All parameters in order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut out = Vec::new();
        collect_leaves(&self.schema, &self.defaults, "", &mut out);
        out
    }

    /// The value at a dotted path.
    pub fn value(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.values, |v, key| v.get(key))
    }

    /// Merges every value of a nested object. `source` names the file; `place` finds line and column of a path. A parameter
    /// that stands there under two of its names, with different values, is a problem.
    pub fn merge(
        &mut self,
        object: &Map<String, Value>,
        source: &str,
        place: &dyn Fn(&[String]) -> Option<String>,
    ) {
        let mut found = Vec::new();
        self.collect(&mut Vec::new(), object, &mut found);
        let mut given: BTreeMap<String, (String, &Value)> = BTreeMap::new();
        for (path, value) in found {
            let (spelled, source) = (path.join("."), place(&path).unwrap_or_else(|| source.to_owned()));
            let known = self.resolve(&spelled);
            match known.as_ref().and_then(|known| given.get(known)) {
                Some((other, before)) if *before != value => {
                    let message =
                        format!("is given as {other} = {before} too; give it under one of the two names");
                    let problem = Problem::new(&spelled, value.clone(), message);
                    self.problems.push(Problem { source: Some(source), ..problem });
                }
                _ => self.set(&spelled, value.clone(), &source),
            }
            given.extend(known.map(|known| (known, (spelled, value))));
        }
    }

    /// Every value of a nested object that is not a group, with its path.
    fn collect<'v>(
        &self,
        path: &mut Vec<String>,
        object: &'v Map<String, Value>,
        found: &mut Vec<(Vec<String>, &'v Value)>,
    ) {
        for (key, value) in object {
            path.push(key.clone());
            match value {
                Value::Object(inner) if self.is_group(&path.join(".")) => self.collect(path, inner, found),
                _ => found.push((path.clone(), value)),
            }
            path.pop();
        }
    }

    /// Applies `path=value` from a command line.
    pub fn set_text(&mut self, text: &str) {
        let Some((path, value)) = text.split_once('=') else {
            let message = "write it as path=value; `weald new` lists the paths".to_owned();
            self.problems.push(Problem::of_name(text, message, "--set"));
            return;
        };
        let value = value.trim();
        // JSON, or anything else that reads as a number, such as .5, or text.
        let number = || value.parse::<f64>().ok().filter(|v| v.is_finite()).map(Value::from);
        let value = serde_json::from_str(value).ok().or_else(number).unwrap_or_else(|| value.into());
        self.set(path.trim(), value, "--set");
    }

    /// Sets one value. Problems are kept and reported by [`ParamTree::finish`].
    pub fn set(&mut self, spelled: &str, value: Value, source: &str) {
        let Some(path) = self.resolve(spelled) else {
            let message = match self.paths_of_alias(spelled).as_slice() {
                [] => format!("no such parameter{}", self.suggestion(spelled)),
                paths => format!("is the name of several parameters; use {}", paths.join(" or ")),
            };
            self.problems.push(Problem::of_name(spelled, message, source));
            return;
        };
        let leaf = self.schema_at(&path).expect("resolved paths have a schema").clone();
        if leaf.get("properties").is_some() {
            let message = "this is a group of parameters, not a value";
            let problem = Problem::new(spelled, value, message);
            self.problems.push(Problem { source: Some(source.into()), ..problem });
            return;
        }
        match fit(&leaf, &value) {
            Err(must) => {
                let bound = |inner: &str, outer: &str| {
                    leaf.get(inner).or_else(|| leaf.get(outer)).and_then(Value::as_f64)
                };
                let range = (bound("minimum", "exclusiveMinimum"), bound("maximum", "exclusiveMaximum"));
                let problem = Problem::new(spelled, value, must);
                self.problems.push(Problem { range, source: Some(source.into()), ..problem });
            }
            Ok(value) => {
                let mut at = &mut self.values;
                for key in path.split('.') {
                    at = &mut at[key];
                }
                *at = value;
                let origin = Origin { source: source.to_owned(), spelled: spelled.to_owned() };
                self.origins.insert(path, origin);
            }
        }
    }

    /// Everything that is wrong with single values.
    pub fn validate(&self) -> Result<()> {
        if self.problems.is_empty() { Ok(()) } else { Err(Error::Params(self.problems.clone())) }
    }

    /// The typed parameters, or everything that is wrong.
    pub fn finish<P: Params>(&self) -> Result<P> {
        self.validate()?;
        let params: P = serde_json::from_value(self.values.clone()).map_err(|e| {
            Error::Internal(format!("parameters passed their schema but not their type: {e}"))
        })?;
        let wrong: Vec<Problem> = params
            .problems()
            .into_iter()
            .map(|p| match self.origin(&p.path) {
                Some(o) => Problem { path: o.spelled.clone(), source: Some(o.source.clone()), ..p },
                None => p,
            })
            .collect();
        if wrong.is_empty() { Ok(params) } else { Err(Error::Params(wrong)) }
    }

    fn is_group(&self, spelled: &str) -> bool {
        self.resolve(spelled)
            .and_then(|p| self.schema_at(&p).map(|s| s.get("properties").is_some()))
            .unwrap_or(false)
    }

    /// The snake_case path for one written in snake_case or camelCase, or an alias of it.
    fn resolve(&self, spelled: &str) -> Option<String> {
        let path = match self.paths_of_alias(spelled).as_slice() {
            [] => snake_path(spelled),
            [path] => (*path).to_owned(),
            _ => return None,
        };
        self.schema_at(&path).map(|_| path)
    }

    /// The paths for which an alias stands, as it is written in the table or in camelCase.
    fn paths_of_alias(&self, spelled: &str) -> Vec<&'static str> {
        let snake = snake_path(spelled);
        let meant = self.aliases.iter().filter(|(alias, _)| *alias == spelled || *alias == snake);
        meant.map(|(_, path)| *path).collect()
    }

    fn schema_at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.schema, |s, key| s.get("properties")?.get(key))
    }

    fn suggestion(&self, spelled: &str) -> String {
        let camel = spelled.chars().any(char::is_uppercase) && !spelled.contains('_');
        let wanted = snake_path(spelled);
        let aliases = self.aliases.iter().map(|(alias, _)| (*alias).to_owned());
        let nearest = self
            .leaves()
            .into_iter()
            .map(|leaf| leaf.path)
            .chain(aliases)
            .flat_map(|path| {
                let last = path.rsplit('.').next().unwrap_or("").to_owned();
                let near = strsim::jaro_winkler(&path, &wanted).max(strsim::jaro_winkler(&last, &wanted));
                (near > 0.8).then_some((near, path))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match nearest {
            Some((_, path)) if camel => format!("; did you mean {}?", camel_case(&path)),
            Some((_, path)) => format!("; did you mean {path}?"),
            None => "; `weald new WORLD` lists them all".to_owned(),
        }
    }
}

/// A dotted path in snake_case. A part with an underscore is taken as it is.
fn snake_path(spelled: &str) -> String {
    let part = |part: &str| if part.contains('_') { part.to_owned() } else { snake_case(part) };
    spelled.split('.').map(part).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::forest::ForestParams;

    fn tree() -> ParamTree {
        ParamTree::of::<ForestParams>()
    }

    fn after(edit: impl FnOnce(&mut ParamTree)) -> String {
        let mut tree = tree();
        edit(&mut tree);
        tree.finish::<ForestParams>().map_or_else(|e| e.to_string(), |_| "fine".into())
    }

    #[test]
    fn every_parameter_has_a_description_a_range_and_a_default_in_it() {
        let leaves = tree().leaves();
        for leaf in leaves {
            assert!(leaf.schema["description"].as_str().is_some_and(|d| d.ends_with('.')), "{}", leaf.path);
            // A word is one of those that its schema lists.
            let range = range_text(&leaf.schema);
            assert!(leaf.default.is_string() || range.is_some_and(|r| r.contains(" and ")), "{}", leaf.path);
            assert_eq!(fit(&leaf.schema, &leaf.default).as_ref(), Ok(&leaf.default), "{}", leaf.path);
        }
    }

    #[test]
    fn names_are_taken_in_snake_case_camel_case_and_by_alias() {
        for spelled in ["hydrology.water_prox_max_dist", "hydrology.waterProxMaxDist"] {
            let mut tree = tree();
            tree.set_text(&format!("{spelled}=9"));
            assert_eq!(tree.finish::<ForestParams>().unwrap().hydrology.water_prox_max_dist, 9);
            assert_eq!(tree.origin("hydrology.water_prox_max_dist").unwrap().spelled, spelled);
        }
        let mut tree = tree();
        tree.set_text("vegVarianceStrength = 0.5");
        assert_eq!(tree.finish::<ForestParams>().unwrap().veg_variance_noise.strength, 0.5);
    }

    #[test]
    fn the_root_playable_inset_is_that_of_the_grid_and_two_names_with_different_values_are_refused() {
        let merged = |value: Value| {
            let (mut tree, Value::Object(object)) = (tree(), value) else { panic!("an object") };
            tree.merge(&object, "p.json", &|_| None);
            tree.finish::<ForestParams>().map(|p| (p.grid.playable_inset, p.veg_variance_noise.strength))
        };
        assert_eq!(merged(serde_json::json!({"playableInset": 3})).unwrap().0, 3);
        assert_eq!(
            merged(serde_json::json!({"playable_inset": 3, "grid": {"playableInset": 3}})).unwrap().0,
            3
        );
        let message = |value| merged(value).unwrap_err().to_string();
        assert_eq!(
            message(serde_json::json!({"playableInset": 3, "grid": {"playableInset": 4}})),
            "grid.playableInset = 4: is given as playableInset = 3 too; give it under one of the two names (p.json)"
        );
        assert_eq!(
            message(serde_json::json!({"vegVarianceNoise": {"strength": 0.2}, "vegVarianceStrength": 0.3})),
            "vegVarianceStrength = 0.3: is given as vegVarianceNoise.strength = 0.2 too; give it under one of the two \
             names (p.json)"
        );
    }

    /// Parameters with an alias of two of them.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Sample {
        /// Coarse.
        coarse: Noise,
        /// Fine.
        fine: Noise,
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize, JsonSchema)]
    #[serde(default, deny_unknown_fields)]
    struct Noise {
        /// Octaves.
        #[schemars(range(min = 0, max = 9))]
        octaves: u32,
    }

    impl Params for Sample {
        const ALIASES: &'static [(&'static str, &'static str)] =
            &[("O_fine", "fine.octaves"), ("octaves", "coarse.octaves"), ("octaves", "fine.octaves")];

        fn problems(&self) -> Vec<Problem> {
            Vec::new()
        }
    }

    #[test]
    fn an_alias_is_taken_as_it_is_written_and_one_of_several_parameters_is_refused_with_their_names() {
        let after = |text: &str| {
            let mut tree = ParamTree::of::<Sample>();
            tree.set_text(text);
            tree.finish::<Sample>().map(|p| p.fine.octaves).map_err(|e| e.to_string())
        };
        assert_eq!(after("O_fine=4"), Ok(4));
        assert_eq!(
            after("octaves=4").unwrap_err(),
            "octaves: is the name of several parameters; use coarse.octaves or fine.octaves (--set)"
        );
        assert!(after("O_fin=4").unwrap_err().contains("did you mean O_fine?"), "{:?}", after("O_fin=4"));
        assert!(
            after("O_fine=10").unwrap_err().starts_with("O_fine = 10: must be"),
            "{:?}",
            after("O_fine=10")
        );
        let schema = ParamTree::of::<Sample>().schema().clone();
        let aliases = &schema["properties"]["fine"]["properties"]["octaves"]["x-aliases"];
        // One that stands for several is an alias of none.
        assert_eq!(*aliases, serde_json::json!(["O_fine"]));
        assert!(schema["properties"]["coarse"]["properties"]["octaves"].get("x-aliases").is_none());
    }

    #[test]
    fn every_alias_of_every_world_stands_for_a_parameter_and_is_none_itself() {
        for world in crate::world::WORLDS {
            let params = world.params();
            for (alias, path) in params.aliases {
                assert!(params.leaves().iter().any(|leaf| leaf.path == *path), "{alias}: there is no {path}");
                assert!(params.schema_at(alias).is_none(), "{alias} is a parameter of its own");
            }
        }
    }

    #[test]
    fn an_error_names_path_value_range_and_source() {
        let message = after(|t| t.set_text("hydrology.waterProxMaxDist=0"));
        assert_eq!(message, "hydrology.waterProxMaxDist = 0: must be between 1 and 65535 (--set)");
        let message = after(|t| t.set_text("game_trails.slope_scale=0"));
        assert_eq!(message, "game_trails.slope_scale = 0: must be above 0 and at most 10 (--set)");
        let message = after(|t| t.set_text("landform.eps=nan"));
        assert_eq!(message, "landform.eps = \"nan\": must be a number between 0 and 1 (--set)");
        let message = after(|t| t.set_text("height_noise.octaves=2.5"));
        assert_eq!(message, "height_noise.octaves = 2.5: must be a whole number between 1 and 16 (--set)");
        let message = after(|t| t.set_text("landform=1"));
        assert_eq!(message, "landform = 1: this is a group of parameters, not a value (--set)");
        assert!(after(|t| t.set_text("landform.eps")).contains("write it as path=value"));
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion_in_its_own_spelling() {
        let message = after(|t| t.set_text("hydrology.waterProxDist=3"));
        assert!(message.contains("did you mean hydrology.waterProxMaxDist?"), "{message}");
        let message = after(|t| t.set_text("game_trails.w_slop=3"));
        assert!(message.contains("did you mean game_trails.w_slope?"), "{message}");
    }

    #[test]
    fn values_that_contradict_each_other_are_refused_by_the_name_that_was_given() {
        let message = after(|t| t.set_text("gameTrails.wStreamProx=0.7"));
        assert!(message.starts_with("gameTrails.wStreamProx = 0.7: must be below 1 together"), "{message}");
        assert_eq!(after(|t| t.set_text("hydrology.tie_eps=0")), "fine");
        assert!(after(|t| t.set_text("hydrology.tie_eps=1e-20")).contains("must be 0 or between"));
    }
}
