//! Which bind group layouts does a shader want, and how are bind groups made by name?

use super::{PipelineError, formats, scoped};
use derive_setters::Setters;
use shaders::{Binding, Composed, Stage};

/// What WGSL does not say about a layout.
#[derive(Clone, Debug, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct LayoutOptions<'a> {
    /// Float textures and samplers that are not filtered (`R32Float` without the filtering feature, for example).
    pub unfilterable: &'a [&'a str],
    /// Buffers bound with a dynamic offset.
    pub dynamic_offset: &'a [&'a str],
    /// Stages that see every binding. `None`: exactly the stages that use it. Bind groups shared between pipelines need
    /// equal layouts: give the stages here and set [`include_unused`](Self::include_unused).
    pub visibility: Option<wgpu::ShaderStages>,
    /// Also bindings that no entry point uses.
    pub include_unused: bool,
}

/// A bind group layout with the names of its bindings.
#[derive(Clone, Debug)]
pub struct GroupLayout {
    shader: String,
    group: u32,
    bindings: Vec<Binding>,
    layout: wgpu::BindGroupLayout,
}

impl GroupLayout {
    /// wgpu's layout.
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// The bindings, by number.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// A bind group of named resources, in any order; each binding must be given exactly once.
    pub fn bind_group(
        &self,
        device: &wgpu::Device,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, PipelineError> {
        let wanted = || self.bindings.iter().map(|binding| binding.name.clone()).collect();
        for (index, (name, _)) in resources.iter().enumerate() {
            let (shader, group, name) = (self.shader.clone(), self.group, (*name).to_owned());
            if !self.bindings.iter().any(|binding| binding.name == name) {
                return Err(PipelineError::Superfluous { shader, group, name, wanted: wanted() });
            }
            if resources[..index].iter().any(|(earlier, _)| *earlier == name) {
                return Err(PipelineError::Twice { shader, group, name });
            }
        }
        let mut entries = Vec::with_capacity(self.bindings.len());
        for binding in &self.bindings {
            let Some((_, resource)) = resources.iter().find(|(name, _)| *name == binding.name) else {
                return Err(PipelineError::Missing {
                    shader: self.shader.clone(),
                    group: self.group,
                    name: binding.name.clone(),
                    wanted: wanted(),
                });
            };
            entries.push(wgpu::BindGroupEntry { binding: binding.binding, resource: resource.clone() });
        }
        let label = format!("{} group {}", self.shader, self.group);
        scoped(device, &label, || {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(&label),
                layout: &self.layout,
                entries: &entries,
            })
        })
    }
}

/// The bind group layouts and the pipeline layout of some entry points of a shader.
///
/// ```
/// use gpu::{Gpu, pipeline::{LayoutOptions, Layouts, PipelineError, Uniform}};
/// let gpu = Gpu::new(&Default::default())?;
/// let text = "
/// @group(0) @binding(0) var<uniform> a: f32;
/// @group(0) @binding(1) var<uniform> unused: f32;
/// @group(1) @binding(0) var<storage, read_write> b: array<f32>;
/// @compute @workgroup_size(1) fn main() { b[0] = a; }";
/// let composed = shaders::Composer::new().bind("mine", "mine.wgsl", text).compose("mine")?;
/// let layouts = Layouts::new(&gpu.device, &composed, &["main"], &LayoutOptions::default())?;
/// let names = |group| layouts.group(group).map(|found| found.bindings().len());
/// assert_eq!((names(0), names(1), names(2)), (Some(1), Some(1), None));
/// // What is missing is named.
/// let missing = layouts.bind_group(&gpu.device, 1, &[]);
/// assert!(matches!(missing, Err(PipelineError::Missing { name, .. }) if name == "b"));
/// // What is too much is an error, or left out.
/// let [a, unused] = ["a", "unused"].map(|name| Uniform::<f32>::new(&gpu.device, name));
/// let all = [("a", a.binding()), ("unused", unused.binding())];
/// let superfluous = layouts.bind_group(&gpu.device, 0, &all);
/// assert!(matches!(superfluous, Err(PipelineError::Superfluous { name, .. }) if name == "unused"));
/// assert!(layouts.bind_used(&gpu.device, 0, &all).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layouts {
    shader: String,
    groups: Vec<Option<GroupLayout>>,
    pipeline_layout: wgpu::PipelineLayout,
}

impl Layouts {
    /// Layouts for a pipeline of the entry points `entries`.
    pub fn new(
        device: &wgpu::Device,
        composed: &Composed,
        entries: &[&str],
        options: &LayoutOptions<'_>,
    ) -> Result<Self, PipelineError> {
        check_extensions(device, composed)?;
        let shader = composed.label();
        let mut used: Vec<(&Binding, wgpu::ShaderStages)> =
            composed.bindings().iter().map(|binding| (binding, wgpu::ShaderStages::empty())).collect();
        for entry in entries {
            let Some(point) = composed.entry_point(entry) else {
                return Err(PipelineError::NoEntryPoint {
                    shader: shader.to_owned(),
                    entry: (*entry).to_owned(),
                    known: composed.entry_points().iter().map(|point| point.name.clone()).collect(),
                });
            };
            for (_, stages) in used.iter_mut().filter(|(binding, _)| point.uses.contains(&binding.name)) {
                *stages |= stage_flag(point.stage);
            }
        }
        used.retain(|(_, stages)| options.include_unused || !stages.is_empty());

        let count = used.iter().map(|(binding, _)| binding.group as usize + 1).max().unwrap_or(0);
        let mut groups = Vec::with_capacity(count);
        for group in 0..count as u32 {
            let members: Vec<_> = used.iter().filter(|(binding, _)| binding.group == group).collect();
            if members.is_empty() {
                groups.push(None);
                continue;
            }
            let mut layout_entries = Vec::with_capacity(members.len());
            for (binding, stages) in &members {
                let has = |names: &[&str]| names.contains(&binding.name.as_str());
                let ty = formats::binding_type(binding, has(options.dynamic_offset), !has(options.unfilterable))
                    .ok_or_else(|| PipelineError::Unsupported {
                        shader: shader.to_owned(),
                        name: binding.name.clone(),
                    })?;
                layout_entries.push(wgpu::BindGroupLayoutEntry {
                    binding: binding.binding,
                    visibility: options.visibility.unwrap_or(*stages),
                    ty,
                    count: None,
                });
            }
            let label = format!("{shader} group {group}");
            let layout = scoped(device, &label, || {
                device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                    label: Some(&label),
                    entries: &layout_entries,
                })
            })?;
            let bindings = members.into_iter().map(|(binding, _)| (*binding).clone()).collect();
            groups.push(Some(GroupLayout { shader: shader.to_owned(), group, bindings, layout }));
        }

        let layouts: Vec<_> = groups.iter().map(|group| group.as_ref().map(GroupLayout::layout)).collect();
        let pipeline_layout = scoped(device, shader, || {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(shader),
                bind_group_layouts: &layouts,
                immediate_size: immediate_bytes(composed),
            })
        })?;
        Ok(Self { shader: shader.to_owned(), groups, pipeline_layout })
    }

    /// The layout of a group; `None` when no entry point uses it.
    pub fn group(&self, group: u32) -> Option<&GroupLayout> {
        self.groups.get(group as usize)?.as_ref()
    }

    /// Whether an entry point uses the variable of this name in a group.
    pub fn uses(&self, group: u32, name: &str) -> bool {
        self.group(group).is_some_and(|group| group.bindings().iter().any(|binding| binding.name == name))
    }

    /// wgpu's pipeline layout.
    pub fn pipeline_layout(&self) -> &wgpu::PipelineLayout {
        &self.pipeline_layout
    }

    /// [`GroupLayout::bind_group`] of group `group`.
    pub fn bind_group(
        &self,
        device: &wgpu::Device,
        group: u32,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, PipelineError> {
        self.group(group)
            .ok_or_else(|| PipelineError::NoGroup { shader: self.shader.clone(), group })?
            .bind_group(device, resources)
    }

    /// As [`bind_group`](Self::bind_group), but of all the resources there are: those that no entry point uses are left out.
    ///
    /// # Errors
    /// [`PipelineError`] for a missing or doubled name, and for a group that is not used.
    pub fn bind_used(
        &self,
        device: &wgpu::Device,
        group: u32,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, PipelineError> {
        let used: Vec<_> = resources.iter().filter(|(name, _)| self.uses(group, name)).cloned().collect();
        self.bind_group(device, group, &used)
    }
}

fn check_extensions(device: &wgpu::Device, composed: &Composed) -> Result<(), PipelineError> {
    for extension in composed.requires() {
        let feature = match extension {
            shaders::Extension::Subgroups => wgpu::Features::SUBGROUP,
            shaders::Extension::SubgroupBarrier => wgpu::Features::SUBGROUP_BARRIER,
            shaders::Extension::Immediates => wgpu::Features::IMMEDIATES,
            shaders::Extension::Int64 => wgpu::Features::SHADER_INT64,
            shaders::Extension::Float64 => wgpu::Features::SHADER_F64,
            shaders::Extension::Barycentrics => wgpu::Features::SHADER_BARYCENTRICS,
            shaders::Extension::PrimitiveIndex => wgpu::Features::PRIMITIVE_INDEX,
            shaders::Extension::RayQuery => wgpu::Features::EXPERIMENTAL_RAY_QUERY,
        };
        if !device.features().contains(feature) {
            let shader = composed.label().to_owned();
            return Err(PipelineError::MissingExtension { shader, extension: extension.name() });
        }
    }
    Ok(())
}

fn stage_flag(stage: Stage) -> wgpu::ShaderStages {
    match stage {
        Stage::Vertex => wgpu::ShaderStages::VERTEX,
        Stage::Fragment => wgpu::ShaderStages::FRAGMENT,
        Stage::Compute => wgpu::ShaderStages::COMPUTE,
    }
}

fn immediate_bytes(composed: &Composed) -> u32 {
    let module = composed.module();
    let immediates = module.global_variables.iter().filter(|(_, v)| v.space == naga::AddressSpace::Immediate);
    immediates.map(|(_, v)| module.types[v.ty].inner.size(module.to_ctx())).max().unwrap_or(0)
}
