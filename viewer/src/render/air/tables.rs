//! Which tables of light does neither eye nor sun change? They are made once, on the CPU.

use super::ground_light::GroundLight;
use super::model::Air;
use super::multiple::Multiple;
use super::transmittance::Transmittance;

/// The tables that neither eye nor sun changes.
#[derive(Debug)]
pub struct Tables {
    /// What is left of sunlight.
    pub transmittance: Transmittance,
    /// Light scattered more than once.
    pub multiple: Multiple,
    /// What level ground gets.
    pub ground_light: GroundLight,
}

impl Tables {
    /// Integrates all tables, on all cores.
    pub fn new(air: Air) -> Tables {
        let transmittance = Transmittance::new(air);
        let multiple = Multiple::new(&transmittance);
        let ground_light = GroundLight::new(&transmittance, &multiple);
        Tables { transmittance, multiple, ground_light }
    }
}
