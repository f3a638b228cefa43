//! What becomes of north when the view moves over the globe? It stays up where it is up, as on a map.
//!
//! A camera that is carried along a great circle keeps its direction on the circle, so that north turns away by the convergence of
//! the meridians. Nobody who drags a map sideways means that.

use glam::DVec3;
use terrain::geodesy;

use super::state::{Camera, Pose};

/// A view turned less than this from north has north up, degrees.
const NORTH_UP_DEG: f64 = 5.0;
/// Beyond this latitude, degrees, meridians converge so fast that a view with north up spins instead of moving.
const FARTHEST_LAT_DEG: f64 = 80.0;

/// How the heading is kept while the eye moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadingMode {
    /// Along the great circle of the way.
    Free,
    /// Against north.
    North,
}

impl HeadingMode {
    /// The one that fits a view: north stays up where it is.
    pub fn of(camera: &Camera) -> HeadingMode {
        let pose = camera.pose();
        let turned_deg = pose.heading_deg.min(360.0 - pose.heading_deg);
        match turned_deg <= NORTH_UP_DEG && pose.lat_deg.abs() < FARTHEST_LAT_DEG {
            true => HeadingMode::North,
            false => HeadingMode::Free,
        }
    }

    /// The camera moved to the normal `n` and a height.
    pub fn transport(self, camera: &Camera, n: DVec3, height_m: f64) -> Camera {
        let (lat_rad, lon_rad) = geodesy::lat_lon(n);
        if self == HeadingMode::Free || lat_rad.to_degrees().abs() >= FARTHEST_LAT_DEG {
            return camera.transported_to(n, height_m);
        }
        let (lat_deg, lon_deg) = (lat_rad.to_degrees(), lon_rad.to_degrees());
        camera.at(&Pose { lat_deg, lon_deg, height_m, ..camera.pose() })
    }

    /// Where the eye has to be for the point `held` that it sees (ECEF metres) to become `grabbed`, with its heading against north; none
    /// where it is free, or would be beyond the latitudes that have a north.
    ///
    /// In the eye's frame of east, north and up the point is (e, n, u) from the Earth's centre, wherever the eye is on a sphere. Its z is
    /// n cos(lat) + u sin(lat) = r sin(lat + a) with r and a of (u, n), which gives the eye's latitude; its longitude is the eye's and
    /// atan2(e, u cos(lat) - n sin(lat)), which gives the eye's.
    pub(super) fn place(self, camera: &Camera, held: DVec3, grabbed: DVec3) -> Option<DVec3> {
        if self == HeadingMode::Free {
            return None;
        }
        let at = camera.normal();
        let (east, north, up) = geodesy::east_north_up(at);
        let (e, n, u) = (held.dot(east), held.dot(north), held.dot(up));
        let grabbed = grabbed.normalize_or(at) * held.length();
        let sine = (grabbed.z / n.hypot(u)).clamp(-1.0, 1.0).asin();
        let a = n.atan2(u);
        let (lat_rad, _) = geodesy::lat_lon(at);
        // The two latitudes at which the point has this z; the nearer one is meant.
        let turn = |rad: f64| (rad + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        let [one, other] = [sine - a, std::f64::consts::PI - sine - a].map(turn);
        let lat = if (one - lat_rad).abs() <= (other - lat_rad).abs() { one } else { other };
        if lat.to_degrees().abs() >= FARTHEST_LAT_DEG {
            return None;
        }
        let lon = grabbed.y.atan2(grabbed.x) - e.atan2(u * lat.cos() - n * lat.sin());
        Some(geodesy::n_vector(lat, lon))
    }
}
