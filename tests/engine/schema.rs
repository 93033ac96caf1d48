//! A validator for the part of JSON Schema that `openapi.json` uses. An unknown keyword is an error, so nothing goes unchecked.

use kibitzer::level::daily::Date;
use serde_json::Value;

/// A schema, with the document that its references point into.
pub struct Schema {
    pub api: &'static Value,
    pub schema: Value,
}

impl Schema {
    /// All violations in a value, each with its location.
    pub fn errors(&self, value: &Value) -> Vec<String> {
        self.errors_of(&self.schema, value)
    }

    fn errors_of(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.walk(schema, value, "", &mut errors);
        errors
    }

    fn walk(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            assert!(schema.is_boolean(), "{schema} is not a schema");
            if schema == false {
                errors.push(format!("{at}: not allowed"));
            }
            return;
        };
        for (keyword, wanted) in keywords {
            let properties = || schema["properties"].as_object().into_iter().flatten();
            let size = value.as_array().map(|items| items.len() as u64);
            let fits = match keyword.as_str() {
                "description" => true,
                "$ref" => {
                    let place = wanted.as_str().and_then(|text| text.strip_prefix('#')).expect("a reference into this document");
                    let target = self.api.pointer(place).unwrap_or_else(|| panic!("{place} is missing"));
                    self.walk(target, value, at, errors);
                    true
                }
                "type" => match wanted {
                    Value::Array(names) => names.iter().any(|name| is_of(name, value)),
                    name => is_of(name, value),
                },
                "required" => {
                    let names = wanted.as_array().expect("a list").iter();
                    !value.is_object() || names.filter_map(Value::as_str).all(|name| value.get(name).is_some())
                }
                "properties" => {
                    for (name, inner) in properties() {
                        value.get(name).iter().for_each(|value| self.walk(inner, value, &format!("{at}/{name}"), errors));
                    }
                    true
                }
                "additionalProperties" => {
                    let fields = value.as_object().into_iter().flatten();
                    for (name, value) in fields.filter(|(name, _)| properties().all(|(known, _)| known != *name)) {
                        self.walk(wanted, value, &format!("{at}/{name}"), errors);
                    }
                    true
                }
                "items" => {
                    for (number, value) in value.as_array().into_iter().flatten().enumerate() {
                        self.walk(wanted, value, &format!("{at}/{number}"), errors);
                    }
                    true
                }
                "minItems" => size.is_none_or(|size| size >= wanted.as_u64().expect("a number")),
                "maxItems" => size.is_none_or(|size| size <= wanted.as_u64().expect("a number")),
                "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().expect("a number")),
                "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().expect("a number")),
                "enum" => wanted.as_array().expect("a list").contains(value),
                "const" => wanted == value,
                "oneOf" => wanted.as_array().expect("a list").iter().filter(|inner| self.errors_of(inner, value).is_empty()).count() == 1,
                // The only pattern that the document uses.
                "pattern" if wanted == r"^\d{4}-\d{2}-\d{2}$" => value.as_str().is_none_or(|text| text.parse::<Date>().is_ok()),
                _ => panic!("unknown keyword `{keyword}`"),
            };
            if !fits {
                errors.push(format!("{at}: {value} does not fit {keyword}: {wanted}"));
            }
        }
    }
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a name") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        name => panic!("`{name}` is not a type"),
    }
}

#[test]
fn violations_are_found() {
    use serde_json::json;
    let api: &Value = Box::leak(Box::new(json!({"n": {"type": "integer", "minimum": 1}})));
    let errors = |schema: Value, value: Value| Schema { api, schema }.errors(&value).len();
    let object = || json!({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/n"}}, "additionalProperties": false});
    assert_eq!(errors(object(), json!({"a": 1})), 0);
    for wrong in [json!({}), json!({"a": 0}), json!({"a": "1"}), json!({"a": 1, "b": 2}), json!([])] {
        assert!(errors(object(), wrong.clone()) > 0, "{wrong}");
    }
    let date = || json!({"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"});
    assert_eq!((errors(date(), json!("2026-11-16")), errors(date(), json!("2026-11"))), (0, 1));
    let list = || json!({"oneOf": [{"const": 1}, {"type": "array", "items": {"enum": ["x"]}, "minItems": 1, "maxItems": 2}]});
    assert_eq!(errors(list(), json!(["x"])) + errors(list(), json!(1)), 0);
    assert!([json!([]), json!(["y"]), json!(["x", "x", "x"]), json!(2)].into_iter().all(|value| errors(list(), value) == 1));
}
