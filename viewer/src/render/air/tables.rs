//! Which tables of light does neither eye nor sun change? They are made once, on the CPU.

use super::ground_light::GroundLight;
use super::model::Air;
use super::multiple_scattering::MultipleScattering;
use super::transmittance::Transmittance;

/// The tables that neither eye nor sun changes.
#[derive(Debug)]
pub struct AirTables {
    /// What is left of sunlight.
    pub transmittance: Transmittance,
    /// Light scattered more than once.
    pub multiple: MultipleScattering,
    /// What level ground gets.
    pub ground_light: GroundLight,
}

impl AirTables {
    /// Integrates all tables, on all cores.
    pub fn new(air: Air) -> AirTables {
        let transmittance = Transmittance::new(air);
        let multiple = MultipleScattering::new(&transmittance);
        let ground_light = GroundLight::new(&transmittance, &multiple);
        AirTables { transmittance, multiple, ground_light }
    }
}
