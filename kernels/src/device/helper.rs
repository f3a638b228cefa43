//! WGSL for what Rust has built in and WGSL has not: functions that `#[device]` calls by itself.

/// Types of the functions' names, which carry their WGSL.
macro_rules! helpers {
    ($($name:ident, $wgsl:literal);* $(;)?) => { $(
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {}

        impl $crate::device::DeviceItem for $name {
            const ITEM: &'static $crate::device::Item = &$crate::device::Item {
                path: concat!("kernels::device::", stringify!($name)),
                wgsl: $wgsl,
                needs: &[],
            };
        }
    )* };
}

pub(super) use helpers;
