//! Where is the eye, and where are places? An independent reference on the ellipsoid of WGS 84, in f64.

/// Half axes of the ellipsoid, metres.
const A: f64 = 6_378_137.0;
const B: f64 = 6_356_752.314_245_179;

/// A view, as it is copied.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Latitude and longitude in degrees, height in metres.
    pub eye: [f64; 3],
    /// Degrees clockwise from north.
    pub heading_deg: f64,
    /// Degrees up.
    pub pitch_deg: f64,
}

impl View {
    /// That of a command line, `orogen --at LAT,LON,HEIGHT --look HEADING,PITCH`.
    pub fn of(command: &str) -> Option<Self> {
        let ["orogen", "--at", at, "--look", look] = command.split(' ').collect::<Vec<_>>()[..] else { return None };
        let numbers: Vec<f64> = at.split(',').chain(look.split(',')).filter_map(|part| part.parse().ok()).collect();
        let [lat_deg, lon_deg, height_m, heading_deg, pitch_deg] = numbers[..] else { return None };
        Some(Self { eye: [lat_deg, lon_deg, height_m], heading_deg, pitch_deg })
    }

    /// Whether another view is the same, but for the last digits that are copied.
    pub fn is_near(&self, other: &Self) -> bool {
        let heading_deg = angle_deg(self.heading_deg, other.heading_deg);
        // A view straight down has any heading.
        let is_steep = self.pitch_deg < -89.9;
        distance_m(self.eye, other.eye) < 1e-4 * self.eye[2].abs() + 1.0
            && (self.pitch_deg - other.pitch_deg).abs() < 0.05
            && (is_steep || heading_deg < 0.05)
    }
}

/// Between two directions, degrees.
pub fn angle_deg(a: f64, b: f64) -> f64 {
    let apart = (a - b).rem_euclid(360.0);
    apart.min(360.0 - apart)
}

/// A place of latitude and longitude in degrees and height in metres, earth-centred, metres.
fn position_m([lat_deg, lon_deg, height_m]: [f64; 3]) -> [f64; 3] {
    let ((sin_lat, cos_lat), (sin_lon, cos_lon)) = (lat_deg.to_radians().sin_cos(), lon_deg.to_radians().sin_cos());
    let normal_m = A * A / (A * A * cos_lat * cos_lat + B * B * sin_lat * sin_lat).sqrt();
    let around_m = (normal_m + height_m) * cos_lat;
    [around_m * cos_lon, around_m * sin_lon, (normal_m * B * B / (A * A) + height_m) * sin_lat]
}

/// The straight line between two places, metres.
pub fn distance_m(from: [f64; 3], to: [f64; 3]) -> f64 {
    let (from, to) = (position_m(from), position_m(to));
    from.iter().zip(to).map(|(from, to)| (from - to).powi(2)).sum::<f64>().sqrt()
}
