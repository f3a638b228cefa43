//! How does a function become WGSL? Its signature, and the scopes that its statements are translated in.

use crate::{
    kernel::KernelBody,
    names::wgsl_name,
    types::{self, Ty},
};
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::{Attribute, Block, Error, Expr, FnArg, Ident, Pat, Path, Result, ReturnType, Signature, spanned::Spanned};

/// What a Rust item is in WGSL.
pub struct Translated {
    /// Readable WGSL, ending with a line break.
    pub wgsl: String,
    /// Device items that it names.
    pub needs: Vec<Path>,
    /// Struct expressions: the type, and its fields in the order of the expression, which WGSL takes them in.
    pub constructed: Vec<(Path, Vec<Ident>)>,
    /// A function of rustc's eyes only, see [`crate::hidden`].
    pub checks: proc_macro2::TokenStream,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    pub wgsl: String,
    pub ty: Ty,
    pub mutable: bool,
}

/// What `break` would leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakable {
    Loop,
    Match,
}

/// The function being translated.
pub struct Translator {
    /// Rust's name; empty for constants.
    pub name: String,
    pub output: Option<Ty>,
    pub needs: Vec<Path>,
    pub constructed: Vec<(Path, Vec<Ident>)>,
    pub breakables: Vec<Breakable>,
    /// The kernel whose body this is.
    pub kernel: Option<KernelBody>,
    /// Operands whose type is not visible, by number.
    pub hidden: HashSet<usize>,
    scopes: Vec<HashMap<String, Local>>,
    taken: BTreeSet<String>,
    lines: String,
    indent: usize,
}

impl Translator {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            output: None,
            needs: Vec::new(),
            constructed: Vec::new(),
            breakables: Vec::new(),
            kernel: None,
            hidden: HashSet::new(),
            scopes: vec![HashMap::new()],
            taken: BTreeSet::new(),
            lines: String::new(),
            indent: 1,
        }
    }

    /// A new variable. WGSL names are unique in a function, so that Rust's shadowing never meets WGSL's rules.
    pub fn declare(&mut self, ident: &Ident, ty: Ty, mutable: bool) -> String {
        let base = wgsl_name(ident);
        let wgsl = self.fresh(&base);
        self.redeclare(ident, wgsl.clone(), ty, mutable);
        wgsl
    }

    /// A WGSL name that the function does not use yet.
    pub fn fresh(&mut self, base: &str) -> String {
        let numbered = (1..).map(|i| format!("{}_{i}", base.trim_end_matches('_')));
        let free = std::iter::once(base.to_owned()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.expect("numbers do not end");
        self.taken.insert(name.clone());
        name
    }

    /// A variable whose WGSL is declared already.
    pub fn redeclare(&mut self, ident: &Ident, wgsl: String, ty: Ty, mutable: bool) {
        let local = Local { wgsl, ty, mutable };
        self.scopes.last_mut().expect("a function has a scope").insert(ident.to_string(), local);
    }

    pub fn local(&self, name: &str) -> Option<&Local> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    pub fn line(&mut self, text: &str) {
        self.lines.push_str(&"    ".repeat(self.indent));
        self.lines.push_str(text);
        self.lines.push('\n');
    }

    /// Runs `body` one level deeper, in a scope of its own.
    pub fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.indent += 1;
        self.scopes.push(HashMap::new());
        let result = body(self);
        self.scopes.pop();
        self.indent -= 1;
        result
    }

    /// Runs `body` in a scope of its own, at the same indentation.
    pub fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.scopes.push(HashMap::new());
        let result = body(self);
        self.scopes.pop();
        result
    }

    /// How deep the blocks around the next line are nested: 1 in the function's own.
    pub fn depth(&self) -> usize {
        self.indent
    }

    /// The lines so far, which are taken.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.lines)
    }

    pub fn need(&mut self, path: &Path) {
        self.needs.push(path.clone());
    }
}

/// Translates a function to the WGSL function `wgsl_name`.
pub fn translate(signature: &Signature, attributes: &[Attribute], body: &Block, wgsl: &str) -> Result<Translated> {
    refuse_qualifiers(signature)?;
    let mut translator = Translator::new(&signature.ident.to_string());
    // A local must not hide a function that is called after it.
    called_names(body, &mut translator.taken);
    let (mut parameters, mut copies) = (Vec::new(), Vec::new());
    for argument in &signature.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err(Error::new(argument.span(), "a device function has no `self`: pass the value as an argument"));
        };
        let ty = types::parse(&argument.ty, &mut translator.needs)?;
        let name = match &*argument.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                if pat.mutability.is_some() {
                    // WGSL's parameters cannot be assigned.
                    let given = translator.fresh(&wgsl_name(&pat.ident));
                    copies.push((pat.ident.clone(), ty.clone(), given.clone()));
                    given
                } else {
                    translator.declare(&pat.ident, ty.clone(), false)
                }
            }
            Pat::Wild(_) => translator.fresh("unused"),
            other => return Err(Error::new(other.span(), "a parameter of a device function is a name")),
        };
        parameters.push(format!("{name}: {ty}"));
    }
    for (ident, ty, given) in copies {
        let name = translator.declare(&ident, ty, true);
        translator.line(&format!("var {name} = {given};"));
    }
    let ReturnType::Type(_, output) = &signature.output else {
        return Err(Error::new(signature.span(), "a device function gives a value: add `-> TYPE`"));
    };
    let output = types::parse(output, &mut translator.needs)?;
    translator.output = Some(output.clone());
    let body = crate::u64_check::marked(body);
    translator.body(&body)?;
    let text = translator.lines;
    let wgsl = format!("{}fn {wgsl}({}) -> {output} {{\n{text}}}\n", documentation(attributes), parameters.join(", "));
    let checks = crate::u64_check::checks(signature, &body, &translator.hidden);
    Ok(Translated { wgsl, needs: translator.needs, constructed: translator.constructed, checks })
}

pub fn refuse_qualifiers(signature: &Signature) -> Result<()> {
    let refuse = |span, why: &str| Err(Error::new(span, why));
    if let Some(token) = &signature.unsafety {
        return refuse(token.span(), "device functions are safe");
    }
    if let Some(token) = &signature.asyncness {
        return refuse(token.span(), "device functions are not async");
    }
    if let Some(abi) = &signature.abi {
        return refuse(abi.span(), "a device function has Rust's own calling convention");
    }
    if !signature.generics.params.is_empty() || signature.generics.where_clause.is_some() {
        let why = "WGSL has no generic functions: write one for each type, or make it an `impl Operator`";
        return refuse(signature.generics.span(), why);
    }
    Ok(())
}

/// The first paragraph of the documentation, as WGSL comments.
pub fn documentation(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let paragraph = lines.take_while(|line| !line.trim().is_empty() && !line.trim().starts_with("```"));
    // Links are of Rust's documentation only.
    paragraph.map(|line| format!("// {}\n", line.trim().replace("[`", "`").replace("`]", "`"))).collect()
}

/// The names that are called anywhere in a block, as WGSL.
pub fn called_names(body: &Block, names: &mut BTreeSet<String>) {
    use proc_macro2::{Delimiter, TokenStream, TokenTree};
    use quote::ToTokens;
    fn walk(tokens: TokenStream, names: &mut BTreeSet<String>) {
        let mut last = None;
        for tree in tokens {
            if let TokenTree::Group(group) = &tree {
                if let (Delimiter::Parenthesis, Some(ident)) = (group.delimiter(), &last) {
                    names.insert(wgsl_name(ident));
                }
                walk(group.stream(), names);
            }
            last = if let TokenTree::Ident(ident) = tree { Some(ident) } else { None };
        }
    }
    walk(body.to_token_stream(), names);
}
