//! How do expressions become WGSL? Literals, operators, casts, calls, fields; parentheses where WGSL's grammar wants them.

use crate::{
    function::Translator,
    names::wgsl_name,
    types::{self, Scalar, Ty},
};
use syn::{BinOp, Error, Expr, ExprBinary, ExprCall, ExprIf, Ident, Lit, Member, Result, UnOp, spanned::Spanned};

/// How tightly the outermost operator of an expression binds, as WGSL's grammar has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// An expression in WGSL.
#[derive(Clone, Debug)]
pub struct Value {
    pub text: String,
    pub level: Level,
    pub ty: Ty,
}

impl Value {
    pub fn primary(text: impl Into<String>, ty: Ty) -> Self {
        Self { text: text.into(), level: Level::Primary, ty }
    }

    /// The text, in parentheses unless it binds at least as tightly as `level`.
    pub fn within(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The text as an argument: `f(a < b, c > d)` could be read as a template.
    pub fn argument(&self) -> String {
        if self.level == Level::Relation { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The expression without parentheses and the invisible groups of macros.
pub fn plain(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => plain(&paren.expr),
        Expr::Group(group) => plain(&group.expr),
        other => other,
    }
}

/// Whether a name is written as Rust writes constants.
pub fn is_constant_like(ident: &Ident) -> bool {
    let name = ident.to_string();
    name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}

impl Translator {
    /// Translates; `expected` is the type that a literal should take, where that is known.
    pub fn expression(&mut self, expr: &Expr, expected: &Ty) -> Result<Value> {
        match plain(expr) {
            Expr::Lit(literal) => self.literal(&literal.lit, expected, false),
            Expr::Path(path) => self.path(path),
            Expr::Unary(unary) => match unary.op {
                UnOp::Neg(_) => self.negation(&unary.expr, expected),
                UnOp::Not(_) => self.not(&unary.expr, expected),
                _ => Err(Error::new(unary.span(), "device code has no references: there is nothing to dereference")),
            },
            Expr::Binary(binary) => self.binary(binary, expected),
            Expr::Cast(cast) => self.cast(&cast.expr, &cast.ty),
            Expr::Call(call) => self.call(call, expected),
            Expr::MethodCall(call) => self.method(call, expected),
            Expr::Field(field) => {
                let Member::Named(name) = &field.member else {
                    return Err(Error::new(field.span(), "WGSL has no tuples: name the fields of a device struct"));
                };
                let base = self.expression(&field.base, &Ty::Unknown)?;
                let columns = ["x_axis", "y_axis", "z_axis", "w_axis"];
                if let (Ty::Matrix, Some(column)) = (&base.ty, columns.iter().position(|axis| name == axis)) {
                    let text = format!("{}[{column}]", base.within(Level::Primary));
                    return Ok(Value::primary(text, base.ty.element()));
                }
                let ty = if base.ty.is_vector() { base.ty.element() } else { Ty::Unknown };
                let name = if base.ty.is_vector() { name.to_string() } else { wgsl_name(name) };
                Ok(Value::primary(format!("{}.{name}", base.within(Level::Primary)), ty))
            }
            Expr::Index(index) => {
                let base = self.expression(&index.expr, &Ty::Unknown)?;
                let at = self.index(&index.index)?;
                Ok(Value::primary(format!("{}[{at}]", base.within(Level::Primary)), base.ty.element()))
            }
            Expr::Struct(literal) => self.constructor(literal),
            Expr::Array(array) => self.array(array, expected),
            Expr::Repeat(repeat) => self.repeated(repeat, expected),
            Expr::If(branch) => self.select(branch, expected),
            Expr::Match(choice) => Err(Error::new(choice.span(), BIND_FIRST)),
            Expr::Block(block) => Err(Error::new(block.span(), BIND_FIRST)),
            Expr::Reference(reference) => {
                Err(Error::new(reference.span(), "device functions take and give values: leave out the `&`"))
            }
            Expr::Closure(closure) => Err(Error::new(closure.span(), "WGSL has no closures: write a device function")),
            Expr::Tuple(tuple) => Err(Error::new(tuple.span(), "WGSL has no tuples: name a device struct")),
            Expr::Macro(call) => {
                Err(Error::new(call.span(), "device code has no macros here: write what it stands for"))
            }
            Expr::Try(attempt) => {
                Err(Error::new(attempt.span(), "WGSL has no `?`: return a device struct with a `bool`"))
            }
            Expr::Range(range) => {
                Err(Error::new(range.span(), "WGSL has no iterators: write a loop, `for i in a..b`, or compare"))
            }
            Expr::Let(binding) => Err(Error::new(binding.span(), "device code has no patterns: write the condition")),
            Expr::Unsafe(block) => Err(Error::new(block.span(), "device code is safe: leave out `unsafe`")),
            other => Err(Error::new(other.span(), "this has no WGSL")),
        }
    }

    fn negation(&mut self, operand: &Expr, expected: &Ty) -> Result<Value> {
        if let Expr::Lit(literal) = plain(operand)
            && let Lit::Int(_) = &literal.lit
        {
            return self.literal(&literal.lit, expected, true);
        }
        let value = self.expression(operand, expected)?;
        Ok(Value { text: format!("-{}", value.within(Level::Primary)), level: Level::Unary, ty: value.ty })
    }

    /// Rust writes `!` for what are `!` and `~` in WGSL.
    fn not(&mut self, operand: &Expr, expected: &Ty) -> Result<Value> {
        let value = self.expression(operand, expected)?;
        let operator = match value.ty.scalar().or(expected.scalar()) {
            Some(Scalar::Bool) => '!',
            Some(Scalar::U32 | Scalar::I32 | Scalar::U64) => '~',
            _ => {
                let why = "`!` is two operators in WGSL, and the type is not visible here: bind it first, `let name: TYPE = …`";
                return Err(Error::new(operand.span(), why));
            }
        };
        Ok(Value { text: format!("{operator}{}", value.within(Level::Unary)), level: Level::Unary, ty: value.ty })
    }

    /// Two operands of one type: a literal takes the type of the other.
    pub fn pair(&mut self, left: &Expr, right: &Expr, expected: &Ty) -> Result<(Value, Value)> {
        let scalar = |ty: &Ty| ty.scalar().map_or(Ty::Unknown, Ty::Scalar);
        let first = self.expression(left, expected)?;
        let second = self.expression(right, &if first.ty.is_known() { scalar(&first.ty) } else { expected.clone() })?;
        if first.ty == Ty::Literal && second.ty.is_known() {
            return Ok((self.expression(left, &scalar(&second.ty))?, second));
        }
        Ok((first, second))
    }

    fn binary(&mut self, binary: &ExprBinary, expected: &Ty) -> Result<Value> {
        use BinOp::*;
        let (operator, level) = match binary.op {
            Add(_) => ("+", Level::Sum),
            Sub(_) => ("-", Level::Sum),
            Mul(_) => ("*", Level::Product),
            Div(_) => ("/", Level::Product),
            Rem(_) => ("%", Level::Product),
            And(_) => ("&&", Level::And),
            Or(_) => ("||", Level::Or),
            BitAnd(_) => ("&", Level::BitAnd),
            BitOr(_) => ("|", Level::BitOr),
            BitXor(_) => ("^", Level::BitXor),
            Shl(_) => ("<<", Level::Shift),
            Shr(_) => (">>", Level::Shift),
            Eq(_) => ("==", Level::Relation),
            Ne(_) => ("!=", Level::Relation),
            Lt(_) => ("<", Level::Relation),
            Le(_) => ("<=", Level::Relation),
            Gt(_) => (">", Level::Relation),
            Ge(_) => (">=", Level::Relation),
            _ => return Err(Error::new(binary.span(), "an assignment is a statement in device code")),
        };
        if level == Level::Shift {
            let value = self.expression(&binary.left, expected)?;
            if value.ty == Ty::Literal {
                return Err(untyped(&binary.left));
            }
            self.look_at(&binary.left, &value);
            let by = self.shift_amount(&binary.right, &value.ty)?;
            if value.ty == Ty::U64 {
                return Ok(self.wide_shift(operator, &value, &by));
            }
            let text = format!("{} {operator} {}", value.within(Level::Unary), by.within(Level::Unary));
            return Ok(Value { text, level, ty: value.ty });
        }
        let is_logic = matches!(level, Level::And | Level::Or);
        let is_relation = level == Level::Relation;
        let expected = if is_logic {
            Ty::BOOL
        } else if is_relation {
            Ty::Unknown
        } else {
            expected.clone()
        };
        let (left, right) = self.pair(&binary.left, &binary.right, &expected)?;
        if left.ty == Ty::Literal && right.ty == Ty::Literal {
            return Err(untyped(&binary.left));
        }
        if left.ty == Ty::U64 || right.ty == Ty::U64 {
            return self.wide_binary(operator, level, &left, &right, binary);
        }
        if !left.ty.is_known() && !right.ty.is_known() {
            self.look_at(&binary.left, &left);
            self.look_at(&binary.right, &right);
        }
        let ty = if is_logic || is_relation {
            Ty::BOOL
        } else if left.ty.is_vector() || right.ty.is_vector() {
            if left.ty.is_vector() { left.ty.clone() } else { right.ty.clone() }
        } else if left.ty.is_known() {
            left.ty.clone()
        } else if right.ty.is_known() {
            right.ty.clone()
        } else {
            Ty::Unknown
        };
        let (first, second) = match level {
            Level::Sum => (Level::Sum, Level::Product),
            Level::Product => (Level::Product, Level::Unary),
            Level::Relation => (Level::Shift, Level::Shift),
            Level::And => (Level::And, Level::Relation),
            Level::Or => (Level::Or, Level::Relation),
            // Bitwise operators do not mix with others in WGSL; shifts, which do in Rust, are written as Rust's precedence has it.
            other => (other, Level::Shift),
        };
        let wrap = |value: &Value, at: Level| -> String {
            let mixes = match level {
                Level::BitAnd | Level::BitOr | Level::BitXor => value.level != level && value.level < Level::Unary,
                Level::Or => value.level == Level::And,
                _ => false,
            };
            if mixes { format!("({})", value.text) } else { value.within(at) }
        };
        if is_relation && (left.ty.is_vector() || right.ty.is_vector()) {
            let fold = match operator {
                "==" => "all",
                "!=" => "any",
                _ => return Err(Error::new(binary.span(), "vectors have no order: compare components")),
            };
            return Ok(Value::primary(
                format!("{fold}({} {operator} {})", wrap(&left, first), wrap(&right, second)),
                Ty::BOOL,
            ));
        }
        if operator == "^" && ty == Ty::BOOL {
            let text = format!("{} != {}", left.within(Level::Shift), right.within(Level::Shift));
            return Ok(Value { text, level: Level::Relation, ty });
        }
        // `a & b == c` needs its parentheses in both languages; `(a == b) & c` on bools too.
        Ok(Value { text: format!("{} {operator} {}", wrap(&left, first), wrap(&right, second)), level, ty })
    }

    /// The right side of a shift: `u32` in WGSL, as wide as what is shifted.
    pub fn shift_amount(&mut self, expr: &Expr, shifted: &Ty) -> Result<Value> {
        // Of any type in Rust; literals alone are `u32`.
        let value = match self.expression(expr, &Ty::Unknown) {
            Ok(value) if value.ty != Ty::Literal => value,
            _ => self.expression(expr, &Ty::U32)?,
        };
        let value = match value.ty {
            Ty::U32 => value,
            Ty::U64 => Value::primary(format!("{}.x", value.within(Level::Primary)), Ty::U32),
            _ => Value::primary(format!("u32({})", value.text), Ty::U32),
        };
        Ok(match shifted {
            Ty::Vector(_, n) => Value::primary(format!("vec{n}u({})", value.text), Ty::Vector(Scalar::U32, *n)),
            _ => value,
        })
    }

    fn cast(&mut self, expr: &Expr, ty: &syn::Type) -> Result<Value> {
        let to = types::parse(ty, &mut self.needs)?;
        let Ty::Scalar(_) = to else {
            return Err(Error::new(
                ty.span(),
                "casts are to `u32`, `i32`, `u64` and `f32`; vectors have `as_vec3()` and its like",
            ));
        };
        if let Expr::Lit(literal) = plain(expr)
            && let Lit::Float(float) = &literal.lit
            && float.suffix().is_empty()
        {
            return Err(Error::new(float.span(), "Rust takes this for an `f64`: write `f32` behind it"));
        }
        let is_literal = matches!(plain(expr), Expr::Lit(_));
        let value = self.expression(expr, if to == Ty::U64 && is_literal { &to } else { &Ty::Unknown })?;
        if value.ty == to {
            return Ok(value);
        }
        if to == Ty::U64 || value.ty == Ty::U64 {
            return crate::u64_words::cast(&value, &to, expr);
        }
        match (&to, &value.ty) {
            (Ty::Scalar(Scalar::U32 | Scalar::I32), Ty::Scalar(Scalar::F32)) => Ok(self.saturated(&value.text, &to)),
            (Ty::Scalar(Scalar::U32 | Scalar::I32), Ty::Unknown) => {
                let why = "casts of floats and of integers differ in WGSL, and the type is not visible here: bind it first, \
                           `let name: TYPE = …`";
                Err(Error::new(expr.span(), why))
            }
            _ => Ok(Value::primary(format!("{to}({})", value.text), to)),
        }
    }

    /// A float as an integer, as Rust has it.
    pub fn saturated(&mut self, float: &str, to: &Ty) -> Value {
        let function = if *to == Ty::U32 { "u32_from_f32" } else { "i32_from_f32" };
        let ident = Ident::new(function, proc_macro2::Span::call_site());
        self.need(&syn::parse_quote!(::kernels::device::#ident));
        Value::primary(format!("{function}({float})"), to.clone())
    }

    fn call(&mut self, call: &ExprCall, expected: &Ty) -> Result<Value> {
        let Expr::Path(function) = plain(&call.func) else {
            return Err(Error::new(
                call.func.span(),
                "WGSL has no function values: call a device function by its name",
            ));
        };
        if function.qself.is_some() {
            return Err(Error::new(function.span(), "write the name itself, not a projection"));
        }
        let names: Vec<String> = function.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let (Some(name), Some(segment)) = (names.last(), function.path.segments.last()) else {
            return Err(Error::new(function.span(), "a name is expected"));
        };
        if !segment.arguments.is_none() {
            return Err(Error::new(segment.span(), "WGSL has no generic functions"));
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let owner = names.len().checked_sub(2).map(|at| names[at].as_str()).unwrap_or_default();
        if owner == "Self" {
            return Err(Error::new(function.span(), "device functions stand outside of types: call a free function"));
        }
        if types::owner(owner).is_some() {
            return self.associated(owner, name, &arguments, call);
        }
        if owner.starts_with(char::is_uppercase) {
            return Err(Error::new(
                function.span(),
                "device functions stand outside of types: make it a free function",
            ));
        }
        if names.len() == 1
            && let Some(vector) = types::vector(name)
        {
            return self.vector_of(&vector, &arguments);
        }
        if name == "select_unpredictable"
            && matches!(owner, "" | "hint")
            && let [condition, yes, no] = arguments.as_slice()
        {
            let condition = self.expression(condition, &Ty::BOOL)?;
            return self.chosen(&condition, yes, no, expected, call);
        }
        if names.len() == 1 && *name == self.name {
            return Err(Error::new(function.span(), "WGSL has no recursion: write a loop"));
        }
        if name.starts_with(char::is_uppercase) {
            return Err(Error::new(
                function.span(),
                "WGSL has no tuple structs: name the fields, `Type { field: value }`",
            ));
        }
        self.need(&function.path);
        let texts: Vec<String> =
            arguments.iter().map(|a| Ok(self.expression(a, &Ty::Unknown)?.argument())).collect::<Result<_>>()?;
        Ok(Value::primary(format!("{}({})", wgsl_name(&segment.ident), texts.join(", ")), Ty::Unknown))
    }

    /// A vector from its components.
    pub fn vector_of(&mut self, vector: &Ty, components: &[&Expr]) -> Result<Value> {
        let element = vector.element();
        let texts: Vec<String> =
            components.iter().map(|c| Ok(self.expression(c, &element)?.argument())).collect::<Result<_>>()?;
        Ok(Value::primary(format!("{vector}({})", texts.join(", ")), vector.clone()))
    }

    fn constructor(&mut self, literal: &syn::ExprStruct) -> Result<Value> {
        if let Some(rest) = &literal.rest {
            return Err(Error::new(rest.span(), "write all fields: WGSL has no `..`"));
        }
        let Some(segment) = literal.path.segments.last().filter(|segment| segment.arguments.is_none()) else {
            return Err(Error::new(literal.path.span(), "WGSL has no generic types"));
        };
        if segment.ident == "Self" {
            return Err(Error::new(segment.span(), "write the type's own name: `Self` means nothing in WGSL"));
        }
        let (mut texts, mut fields) = (Vec::new(), Vec::new());
        for field in &literal.fields {
            let Member::Named(name) = &field.member else {
                return Err(Error::new(field.span(), "WGSL has no tuple structs: name the fields"));
            };
            fields.push(name.clone());
            texts.push(self.expression(&field.expr, &Ty::Unknown)?.argument());
        }
        let name = wgsl_name(&segment.ident);
        self.need(&literal.path);
        self.constructed.push((literal.path.clone(), fields));
        Ok(Value::primary(format!("{name}({})", texts.join(", ")), Ty::Struct(name)))
    }

    /// `if` inside an expression: both sides are evaluated, which is the same where neither calls nor branches.
    fn select(&mut self, branch: &ExprIf, expected: &Ty) -> Result<Value> {
        let (Some(yes), Some(no)) = (only_value(&branch.then_branch), otherwise(branch)) else {
            return Err(Error::new(branch.span(), BIND_FIRST));
        };
        if !is_simple(yes) || !is_simple(no) {
            return Err(Error::new(branch.span(), BIND_FIRST));
        }
        let condition = self.expression(&branch.cond, &Ty::BOOL)?;
        self.chosen(&condition, yes, no, expected, &branch.then_branch)
    }

    /// `select`: both sides are evaluated.
    fn chosen(&mut self, if_: &Value, yes: &Expr, no: &Expr, expected: &Ty, at: &impl Spanned) -> Result<Value> {
        let (yes, no) = self.pair(yes, no, expected)?;
        if yes.ty == Ty::Literal && no.ty == Ty::Literal {
            return Err(untyped(at));
        }
        let ty = if yes.ty.is_known() { yes.ty.clone() } else { no.ty.clone() };
        Ok(Value::primary(format!("select({}, {}, {})", no.argument(), yes.argument(), if_.argument()), ty))
    }

    /// Whether a value has to be made by statements before it can be used.
    pub fn needs_statements(&self, expr: &Expr) -> bool {
        match plain(expr) {
            Expr::If(branch) => match (only_value(&branch.then_branch), otherwise(branch)) {
                (Some(yes), Some(no)) => !is_simple(yes) || !is_simple(no),
                _ => true,
            },
            Expr::Match(_) | Expr::Block(_) => true,
            _ => false,
        }
    }
}

pub const BIND_FIRST: &str = "WGSL has no such expression: bind it first, `let name: TYPE = …`";

fn untyped(at: &impl Spanned) -> Error {
    Error::new(at.span(), "write the type of one number, as in `1u32`: WGSL would compute without one")
}

fn only_value(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(expr, None)] => Some(plain(expr)),
        _ => None,
    }
}

fn otherwise(branch: &ExprIf) -> Option<&Expr> {
    match plain(&branch.else_branch.as_ref()?.1) {
        Expr::Block(block) if block.label.is_none() => only_value(&block.block),
        // A chain reads better as statements.
        _ => None,
    }
}

/// Whether an expression may be evaluated although it is not wanted: it ends, at once.
pub fn is_simple(expr: &Expr) -> bool {
    match plain(expr) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(field) => is_simple(&field.base),
        Expr::Unary(unary) => is_simple(&unary.expr),
        Expr::Cast(cast) => is_simple(&cast.expr),
        Expr::Binary(binary) => is_simple(&binary.left) && is_simple(&binary.right),
        Expr::MethodCall(call) => is_simple(&call.receiver) && call.args.iter().all(is_simple),
        Expr::If(branch) => {
            let sides = [only_value(&branch.then_branch), otherwise(branch)];
            is_simple(&branch.cond) && sides.iter().all(|side| side.is_some_and(is_simple))
        }
        _ => false,
    }
}
