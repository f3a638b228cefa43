//! Between which buffers do keys and values go back and forth?

use crate::{arguments::Params, slice::BoundSlice};

/// Keys and values in one place: the caller's slices, or parts of the scratch.
#[derive(Clone)]
pub(super) struct KeyValueBuffers<'a> {
    pub keys: (wgpu::BindingResource<'a>, u32),
    pub values: Option<(wgpu::BindingResource<'a>, u32)>,
}

impl<'a> KeyValueBuffers<'a> {
    pub fn of(keys: &BoundSlice<'a>, values: Option<&BoundSlice<'a>>) -> Self {
        let part = |slice: &BoundSlice<'a>| (slice.resource(), slice.first);
        Self { keys: part(keys), values: values.map(part) }
    }
}

/// First elements of what moves from one place to another.
pub(super) fn moving(from: &KeyValueBuffers<'_>, to: &KeyValueBuffers<'_>) -> Params {
    Params {
        input_first: from.keys.1,
        output_first: to.keys.1,
        aux_first: from.values.as_ref().map_or(0, |values| values.1),
        items: to.values.as_ref().map_or(0, |values| values.1),
        ..Default::default()
    }
}

pub(super) fn values<'a>(
    from: &KeyValueBuffers<'a>,
    to: &KeyValueBuffers<'a>,
) -> impl Iterator<Item = (&'static str, wgpu::BindingResource<'a>)> {
    let named = |name, values: &Option<(wgpu::BindingResource<'a>, u32)>| values.clone().map(|v| (name, v.0));
    named("values_in", &from.values).into_iter().chain(named("values_out", &to.values))
}
