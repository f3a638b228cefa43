//! What does `#[kernel]` tell the runtime? Texts of WGSL, and what kind of kernel it is.

/// A kernel as text.
#[doc(hidden)]
#[derive(Debug)]
pub struct Description {
    /// The WGSL function that does an item.
    pub name: &'static str,
    /// 1 to 3.
    pub dimensions: u32,
    /// Invocations of a workgroup in x, y and z, if the source says so.
    pub workgroup: Option<[u32; 3]>,
    /// The struct of arguments, and all variables.
    pub bindings: &'static str,
    /// What items are reduced into.
    pub totals: &'static [ReductionText],
    /// What items are appended to.
    pub list: Option<ListText>,
    /// The count that the device may know alone.
    pub count: Option<&'static str>,
    /// Whether the items of a workgroup load tiles together.
    pub is_tiled: bool,
    /// Variables with the WGSL type and the Rust size of an element.
    pub strides: &'static [(&'static str, &'static str, usize)],
}

/// A total as text.
#[doc(hidden)]
#[derive(Debug)]
pub struct ReductionText {
    /// The variable.
    pub name: &'static str,
    /// Its type.
    pub ty: &'static str,
    /// The declaration of a struct.
    pub declaration: &'static str,
    /// Its size.
    pub bytes: usize,
    /// The value that changes nothing.
    pub identity: &'static str,
    /// `a` and `b` combined.
    pub combined: &'static str,
    /// The subgroup operation, empty for a device function.
    pub subgroup: &'static str,
    /// Whether it begins with `NAME_start()`, not with what the variable holds.
    pub has_start: bool,
}

/// A list as text.
#[doc(hidden)]
#[derive(Debug)]
pub struct ListText {
    /// The variable.
    pub name: &'static str,
    /// Whether it is emptied first.
    pub is_cleared: bool,
}
