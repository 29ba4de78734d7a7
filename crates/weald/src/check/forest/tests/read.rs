//! Files of tiles.

use super::sample::Sample;
use super::{edited, failing, run};
use crate::check::forest::envelope as check_file;
use crate::error::Error;
use serde_json::json;
use std::path::Path;

#[test]
fn the_form_of_the_file_is_checked() {
    assert_eq!(edited(|e| e["meta"]["specVersion"] = "v0".into()), ["spec-version"]);
    assert_eq!(edited(|e| e["tiles"].as_array_mut().unwrap().swap(3, 40)), ["tiles-row-major"]);
    assert_eq!(edited(|e| drop(e["tiles"].as_array_mut().unwrap().pop())), ["tiles-row-major"]);
    assert_eq!(edited(|e| e["meta"]["width"] = 15.into()), ["tiles-row-major"]);
    assert_eq!(edited(|e| e["tiles"][5] = e["tiles"][6].clone()), ["tiles-row-major"]);
    assert_eq!(edited(|e| e["tiles"][5]["id"] = "forest:5,1".into()), ["tile-ids"]);
    let reversed = edited(|e| {
        let list = e["tiles"].as_array_mut().unwrap().iter_mut().find_map(|t| {
            let flags = t["roughness"]["featureFlags"].as_array_mut().unwrap();
            (flags.len() > 1).then_some(flags)
        });
        list.unwrap().reverse();
    });
    assert_eq!(reversed, ["list-order"]);
    assert_eq!(
        edited(|e| e["tiles"][9]["navigation"]["followable"] = json!(["ridge", "ridge"]))[0],
        "list-order"
    );
}

#[test]
fn lines_are_read_like_an_envelope() {
    let sample = Sample::authored();
    let envelope = sample.envelope();
    let mut lines = format!("{}\n", json!({"meta": envelope["meta"]}));
    for tile in envelope["tiles"].as_array().unwrap() {
        lines.push_str(&format!("{tile}\n"));
    }
    let report = check_file(&mut lines.as_bytes(), Path::new("tiles.ndjson")).unwrap();
    assert_eq!(report, run(&envelope));
    let cut = &lines[..lines.len() - 30];
    assert!(matches!(check_file(&mut cut.as_bytes(), Path::new("-")), Err(Error::Invalid(_))));
}

#[test]
fn a_file_without_meta_data_is_checked_with_the_defaults_and_says_so() {
    let envelope = json!({"tiles": Sample::noise(42, 16, 16).envelope()["tiles"]});
    let report = run(&envelope);
    assert_eq!(failing(&report), ["spec-version"]);
    for word in ["width", "Appendix A", "seed"] {
        assert!(report.notes.iter().any(|n| n.contains(word)), "{report}");
    }
    let mut other = Sample::authored().envelope();
    other["meta"].as_object_mut().unwrap().remove("params");
    assert!(failing(&run(&other)).contains(&"water-class"), "other parameters, other waters");
}

#[test]
fn files_that_cannot_be_read_say_what_was_expected() {
    let message = |text: &str| check_file(&mut text.as_bytes(), Path::new("a.json")).unwrap_err().to_string();
    let mut envelope = Sample::authored().envelope();
    envelope["tiles"][3]["vegetation"]["biome"] = "jungle".into();
    for (text, part) in [
        ("", "a.json: EOF"),
        ("[]", "an object with `meta` and `tiles`"),
        ("{\"layers\": []}", "neither `tiles` nor `meta`"),
        ("{\"meta\": {}, \"tiles\": []}", "no tiles"),
        ("{\"meta\": {}}", "no tiles"),
        ("{\"tiles\": [{\"id\": 3}]}", "expected a string"),
        (&envelope.to_string(), "jungle"),
        (&envelope.to_string(), "esker_pine"),
    ] {
        let message = message(text);
        assert!(message.contains(part), "{message}");
    }
    let mut envelope = Sample::authored().envelope();
    envelope["meta"]["params"] = json!({"hydrology": {"tieEbs": 1}});
    assert!(message(&envelope.to_string()).contains("tieEbs"));
}
