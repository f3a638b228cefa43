//! How do items become one WGSL text? Each once, after what it needs, at compile time.

/// A device function, struct or constant in WGSL.
#[derive(Debug)]
pub struct Item {
    /// Rust's name, with its modules.
    pub path: &'static str,
    /// Its own WGSL.
    pub wgsl: &'static str,
    /// What it names.
    pub needs: &'static [&'static Item],
}

/// Items that one text can hold.
const MAX_ITEMS: usize = 256;

const BEGIN: &str = "//!once ";
const END: &str = "//!end\n";

/// Items in the order in which they are written.
struct Order {
    items: [Option<&'static Item>; MAX_ITEMS],
    len: usize,
}

impl Order {
    const fn of(roots: &[&'static Item]) -> Self {
        let mut order = Self { items: [None; MAX_ITEMS], len: 0 };
        order.add_all(roots);
        order
    }

    const fn add_all(&mut self, items: &[&'static Item]) {
        let mut i = 0;
        while i < items.len() {
            self.add(items[i]);
            i += 1;
        }
    }

    const fn add(&mut self, item: &'static Item) {
        if self.contains(item) {
            return;
        }
        self.add_all(item.needs);
        assert!(self.len < MAX_ITEMS, "a device function may need at most 256 items");
        self.items[self.len] = Some(item);
        self.len += 1;
    }

    const fn contains(&self, item: &Item) -> bool {
        let mut i = 0;
        while i < self.len {
            if let Some(known) = self.items[i]
                && same(known.path, item.path)
            {
                return true;
            }
            i += 1;
        }
        false
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Bytes of the text of `roots`.
#[doc(hidden)]
pub const fn text_len(roots: &[&'static Item]) -> usize {
    let order = Order::of(roots);
    let (mut len, mut i) = (0, 0);
    while i < order.len {
        if let Some(item) = order.items[i] {
            len += BEGIN.len() + item.path.len() + 1 + item.wgsl.len() + END.len();
        }
        i += 1;
    }
    len
}

/// The text of `roots`, of [`text_len`] bytes.
#[doc(hidden)]
pub const fn text<const LEN: usize>(roots: &[&'static Item]) -> [u8; LEN] {
    let order = Order::of(roots);
    let mut bytes = [0; LEN];
    let (mut at, mut i) = (0, 0);
    while i < order.len {
        if let Some(item) = order.items[i] {
            let parts = [BEGIN, item.path, "\n", item.wgsl, END];
            let mut part = 0;
            while part < parts.len() {
                let (_, rest) = bytes.split_at_mut(at);
                let (place, _) = rest.split_at_mut(parts[part].len());
                place.copy_from_slice(parts[part].as_bytes());
                at += parts[part].len();
                part += 1;
            }
        }
        i += 1;
    }
    bytes
}

/// Whether a struct expression names the fields in the order of the struct, which is how WGSL takes them.
#[doc(hidden)]
pub const fn same_order(fields: &[&str], written: &[&str]) {
    let mut i = 0;
    while i < fields.len() {
        // A missing field is an error of rustc's.
        if i < written.len() && !same(fields[i], written[i]) {
            panic!("write the fields in the order of the struct: WGSL constructs by position");
        }
        i += 1;
    }
}

/// Whether a struct has in WGSL the name by which a device function calls it.
#[doc(hidden)]
pub const fn same_name(name: &str, written: &str) {
    if !same(name, written) {
        panic!("this struct has another name in WGSL: import it under that name, `use module::Struct as Name`");
    }
}

/// The WGSL of items as a constant.
#[doc(hidden)]
#[macro_export]
macro_rules! device_wgsl {
    ($($item:expr),* $(,)?) => {{
        const ITEMS: &[&$crate::device::Item] = &[$($item),*];
        const BYTES: [u8; $crate::device::text_len(ITEMS)] = $crate::device::text(ITEMS);
        match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("texts of UTF-8 are joined whole"),
        }
    }};
}

/// The WGSL of several device items in one text, each once and after what it needs.
///
/// ```
/// use kernels::device;
///
/// #[device]
/// const STEP: u32 = 3;
/// #[device]
/// fn up(x: u32) -> u32 { x + STEP }
/// #[device]
/// fn down(x: u32) -> u32 { x - STEP }
///
/// const BOTH: &str = device::module!(up, down);
/// assert_eq!(BOTH.matches("const STEP").count(), 1);
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! device_module {
    ($($item:ty),* $(,)?) => { $crate::device_wgsl!($(<$item as $crate::device::DeviceItem>::ITEM),*) };
}
