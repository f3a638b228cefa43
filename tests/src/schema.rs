//! Does a value follow a JSON Schema? As far as the schemas of this repository go: another keyword is an error of theirs.

use serde_json::Value;

/// What of a value a schema does not allow, each with where it is.
///
/// # Panics
/// If the schema has a keyword that is not known here.
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    for (keyword, says) in schema.as_object().expect("a schema is an object") {
        let mut wrong = |what: String| found.push(format!("{at}: {what}"));
        let number = |says: &Value| says.as_f64().expect("a number");
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let pointer = says.as_str().and_then(|says| says.strip_prefix('#')).expect("a reference within");
                check(root, root.pointer(pointer).expect("what is referred to"), value, at, found);
            }
            "type" => {
                let types: Vec<&str> = match says {
                    Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                    one => one.as_str().into_iter().collect(),
                };
                if !types.iter().any(|name| is_of(value, name)) {
                    wrong(format!("{value} is no {}", types.join(" or ")));
                }
            }
            "enum" if !says.as_array().expect("values").contains(value) => wrong(format!("{value} is not of {says}")),
            "const" if says != value => wrong(format!("{value} is not {says}")),
            "minimum" if value.as_f64().is_some_and(|value| value < number(says)) => wrong(format!("{value} < {says}")),
            "maximum" if value.as_f64().is_some_and(|value| value > number(says)) => wrong(format!("{value} > {says}")),
            "minItems" if value.as_array().is_some_and(|all| (all.len() as f64) < number(says)) => {
                wrong(format!("fewer than {says}"));
            }
            "maxItems" if value.as_array().is_some_and(|all| all.len() as f64 > number(says)) => {
                wrong(format!("more than {says}"));
            }
            "required" => {
                let names = says.as_array().expect("names").iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                missing.for_each(|name| wrong(format!("no {name}")));
            }
            "properties" => {
                for (name, schema) in says.as_object().expect("schemas") {
                    if let Some(member) = value.get(name) {
                        check(root, schema, member, &format!("{at}/{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                let known = |name: &str| schema["properties"].get(name).is_some();
                for (name, member) in value.as_object().into_iter().flatten().filter(|(name, _)| !known(name)) {
                    match says {
                        Value::Bool(false) => found.push(format!("{at}: {name} is unknown")),
                        schema => check(root, schema, member, &format!("{at}/{name}"), found),
                    }
                }
            }
            "items" => {
                for (k, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, says, item, &format!("{at}/{k}"), found);
                }
            }
            "anyOf" => {
                let of = |schema: &Value| {
                    let mut found = Vec::new();
                    check(root, schema, value, at, &mut found);
                    found
                };
                let tried: Vec<Vec<String>> = says.as_array().expect("schemas").iter().map(of).collect();
                if tried.iter().all(|complaints| !complaints.is_empty()) {
                    found.extend(tried.into_iter().min_by_key(Vec::len).into_iter().flatten());
                }
            }
            "enum" | "const" | "minimum" | "maximum" | "minItems" | "maxItems" => {}
            other => panic!("{at}: the keyword {other} is not known"),
        }
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|value| value.fract() == 0.0),
        other => panic!("there is no type {other}"),
    }
}
