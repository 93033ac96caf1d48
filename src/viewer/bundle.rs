//! Combines modules of the page into one script, for standalone documents. Every module becomes a function that is called once
//! and returns its exports, so that names in different modules cannot clash.
//!
//! This is not a general bundler. It accepts the two forms that the page's modules use, each on its own line, and refuses all
//! others: `import { a, b } from './x.js';`, and `export` before a `class`, `function`, `async function` or `const`.

/// Returns the combined script. Each module must come after those that it imports. The paths of all modules are relative to the same
/// folder.
pub fn bundle(modules: &[(&str, &str)]) -> Result<String, String> {
    let mut script = String::new();
    for (at, &(path, source)) in modules.iter().enumerate() {
        let wrong = |line: &str, why: &str| format!("{path}: {why}: `{line}`");
        let mut exports: Vec<&str> = Vec::new();
        script.push_str(&format!("const $module{at} = (() => {{\n"));
        for line in source.lines() {
            if line.starts_with("import") {
                let (names, from) = imported(line).ok_or_else(|| wrong(line, "unknown form of import"))?;
                let target = join(path, from).ok_or_else(|| wrong(line, "path leads outside the folder"))?;
                let found = modules[..at].iter().position(|&(path, _)| path == target);
                let found = found.ok_or_else(|| wrong(line, "imports a module that does not precede it"))?;
                script.push_str(&format!("const {{ {names} }} = $module{found};\n"));
            } else if let Some(rest) = line.strip_prefix("export ") {
                exports.push(declared(rest).ok_or_else(|| wrong(line, "unknown form of export"))?);
                script.extend([rest, "\n"]);
            } else if line.contains("</script") || line.contains("import(") {
                return Err(wrong(line, "cannot be part of a document"));
            } else {
                script.extend([line, "\n"]);
            }
        }
        script.push_str(&format!("return {{ {} }};\n}})();\n", exports.join(", ")));
    }
    Ok(script)
}

/// The names and the path of `import { a, b } from './x.js';`.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, rest) = line.strip_prefix("import { ")?.split_once(" } from '")?;
    let plain = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    names.split(", ").all(plain).then_some(())?;
    Some((names, rest.strip_suffix("';")?))
}

/// The name that a declaration declares.
fn declared(text: &str) -> Option<&str> {
    let rest = ["class ", "function ", "async function ", "const "].iter().find_map(|word| text.strip_prefix(word))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

/// The path of a module, resolved relative to the module that imports it.
fn join(path: &str, from: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
