//! Why is there no picture?

use gpu::pipeline::PipelineError;
use shaders::ShaderError;

/// Why there is no renderer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A shader is wrong.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device refuses a pipeline.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}
