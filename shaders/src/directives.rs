//! What does a module ask of the composer? The comment directives `//!import`, `//!requires`, `//!variant`, and
//! `//!once NAME` to `//!end`, which mark an item that is joined once although several modules bring it along.

use crate::{Extension, ShaderError, SourceLocation};

/// A named choice of virtual modules, declared in a module by `//!variant NAME VIRTUAL=MODULE ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleVariant {
    /// The variant's name, unique in its module.
    pub name: String,
    /// Pairs (virtual module, embedded module it stands for).
    pub bindings: Vec<(String, String)>,
}

/// What the directives of one module say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directives {
    /// Imported module and the 1-based line that imports it.
    pub imports: Vec<(String, u32)>,
    pub requires: Vec<Extension>,
    pub variants: Vec<ModuleVariant>,
    /// Items that are joined once.
    pub items: Vec<OnceItem>,
}

/// An item between `//!once NAME` and `//!end`.
#[derive(Clone, Debug)]
pub(crate) struct OnceItem {
    pub name: String,
    /// 0-based lines, directives included.
    pub lines: std::ops::Range<usize>,
}

impl Directives {
    pub(crate) fn parse(file: &str, text: &str) -> Result<Self, ShaderError> {
        let mut directives = Self::default();
        let mut open: Option<(String, usize)> = None;
        for (index, line) in text.lines().enumerate() {
            let Some(directive) = line.trim_start().strip_prefix("//!") else { continue };
            let line_number = index as u32 + 1;
            let malformed = |why: String| ShaderError::Directive {
                place: SourceLocation { file: file.to_owned(), line: line_number, column: 1, text: line.to_owned() },
                why,
            };
            let mut words = directive.split_whitespace();
            match words.next() {
                Some("import") => match (words.next(), words.next()) {
                    (Some(module), None) => directives.imports.push((module.to_owned(), line_number)),
                    _ => return Err(malformed("one module name is expected after //!import".to_owned())),
                },
                Some("requires") => {
                    for word in words {
                        let extension = Extension::ALL.into_iter().find(|extension| extension.name() == word);
                        directives.requires.push(extension.ok_or_else(|| {
                            let known: Vec<_> = Extension::ALL.into_iter().map(Extension::name).collect();
                            malformed(format!("unknown extension `{word}`, known ones are {}", known.join(", ")))
                        })?);
                    }
                }
                Some("variant") => {
                    let name = words.next().ok_or_else(|| malformed("//!variant needs a name".to_owned()))?;
                    let bindings = words
                        .map(|word| match word.split_once('=') {
                            Some((slot, module)) => Ok((slot.to_owned(), module.to_owned())),
                            None => Err(malformed(format!("`{word}` is not of the form VIRTUAL=MODULE"))),
                        })
                        .collect::<Result<_, _>>()?;
                    if directives.variants.iter().any(|variant| variant.name == name) {
                        return Err(malformed(format!("variant `{name}` is declared twice")));
                    }
                    directives.variants.push(ModuleVariant { name: name.to_owned(), bindings });
                }
                // The composer writes such loops out after it has joined the modules.
                Some("unroll") => {}
                // Text for others than naga: `Composed::standard` takes it in.
                Some("standard") => {}
                Some("once") => match (words.next(), words.next(), &open) {
                    (Some(name), None, None) => open = Some((name.to_owned(), index)),
                    (_, _, Some((name, _))) => return Err(malformed(format!("`{name}` has no //!end"))),
                    _ => return Err(malformed("one name is expected after //!once".to_owned())),
                },
                Some("end") => match open.take() {
                    Some((name, first)) => directives.items.push(OnceItem { name, lines: first..index + 1 }),
                    None => return Err(malformed("//!end without //!once".to_owned())),
                },
                other => {
                    let word = other.unwrap_or_default();
                    return Err(malformed(format!(
                        "unknown directive `{word}`, known ones are import, requires, variant, unroll, standard, once, end"
                    )));
                }
            }
        }
        if let Some((name, first)) = open {
            let text = text.lines().nth(first).unwrap_or_default().to_owned();
            let place = SourceLocation { file: file.to_owned(), line: first as u32 + 1, column: 1, text };
            return Err(ShaderError::Directive { place, why: format!("`{name}` has no //!end") });
        }
        Ok(directives)
    }
}
