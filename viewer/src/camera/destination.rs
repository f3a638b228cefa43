//! From where is a place looked at? Tilted, near what is small, and from so far that all of what is large is seen.

use glam::DVec3;
use terrain::geodesy;
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;

use super::globe::{FARTHEST_M, facing};
use super::ground::{CLEARANCE_M, Ground};
use super::place::Place;
use super::state::{Attitude, Camera, Lens, Pose};
use crate::gazetteer::PlaceEntry;

/// Least distance from which a place without a height is looked at, metres.
const NEAREST_M: f64 = 12_000.0;
/// Postings of the data that the distance is at least: coarse data wants to be seen from further away.
const NEAREST_POSTINGS: f64 = 12.0;
/// Radii of the planet that these are at most.
const FARTHEST_RADII: f64 = 0.1;
/// Distances in metres with the pitch in degrees at which is looked from there: between them by the logarithm of the distance.
const PITCHES: [(f64, f64); 3] = [(1.2e4, -25.0), (4e5, -55.0), (8e6, -90.0)];
/// What of half a picture a box may fill, so that it has a rim.
const FILLED: f64 = 0.94;
/// Parts of a box along each side, whose corners are in the picture.
const PARTS: u32 = 6;
/// Wider or higher boxes are seen as the globe, degrees.
const GLOBE_DEG: f64 = 100.0;
/// But for those round a pole that are no higher, which are seen from above it.
const CAP_DEG: f64 = 50.0;
/// [`PARTS`] of those.
const CAP_PARTS: u32 = 36;
/// An eye is at least this far above the horizon of what it looks at, degrees.
const LOWEST_DEG: f64 = 5.0;

/// Ground that knows how fine its data is.
pub trait GroundData: Ground {
    /// Distance between data at the unit geodetic normal `n`, metres.
    fn posting_m(&self, n: DVec3) -> f64;
}

impl GroundData for Relief {
    fn posting_m(&self, n: DVec3) -> f64 {
        self.finest_m(n)
    }
}

/// A place to look at, and what it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination {
    /// The place.
    pub place: Place,
    /// Its name, where it was found by one.
    pub title: Option<String>,
    /// Metres from which all of it is seen, where it is as large as a lake or a country.
    whole_from_m: Option<f64>,
}

impl From<Place> for Destination {
    fn from(place: Place) -> Destination {
        Destination { place, title: None, whole_from_m: None }
    }
}

impl From<&PlaceEntry> for Destination {
    fn from(entry: &PlaceEntry) -> Destination {
        let place = Place { of_earth: true, ..Place::at(entry.lat_deg, entry.lon_deg) };
        Destination { place, title: Some(entry.title()), whole_from_m: entry.seen_whole_from_m() }
    }
}

impl Destination {
    /// Its view: at the given height straight above it with the attitude that the camera has now, or, without a height, with the place in
    /// the middle, from the south.
    pub fn view(&self, now: &Camera, ground: &impl GroundData) -> Pose {
        let Place { lat_deg, lon_deg, height_m, .. } = self.place;
        let n = self.normal();
        let ground_m = ground.height_m(n);
        if let Some(height_m) = height_m {
            return Pose { lat_deg, lon_deg, height_m: height_m.max(ground_m + CLEARANCE_M), ..now.pose() };
        }
        let distance_m = self.distance_m(ground);
        self.view_along(0.0, default_pitch_deg(distance_m), ground)
    }

    /// Its view from a direction: degrees clockwise from north and degrees up, as the eye looks.
    pub fn view_along(&self, heading_deg: f64, pitch_deg: f64, ground: &impl GroundData) -> Pose {
        let pose =
            looking_at(ground.ellipsoid(), self.position_m(ground), heading_deg, pitch_deg, self.distance_m(ground));
        let eye = geodesy::n_vector(pose.lat_deg.to_radians(), pose.lon_deg.to_radians());
        Pose { height_m: pose.height_m.max(ground.height_m(eye) + CLEARANCE_M), ..pose }
    }

    /// Metres about the place that are looked at, where it is as large as a lake or a country; 0 else.
    pub fn reach_m(&self) -> f64 {
        self.whole_from_m.map_or(0.0, |whole_m| 0.5 * whole_m)
    }

    /// Where it is on the ground, ECEF metres.
    pub fn position_m(&self, ground: &impl GroundData) -> DVec3 {
        let n = self.normal();
        ground.position_m(n)
    }

    fn normal(&self) -> DVec3 {
        geodesy::n_vector(self.place.lat_deg.to_radians(), self.place.lon_deg.to_radians())
    }

    fn distance_m(&self, ground: &impl GroundData) -> f64 {
        // Where nothing is known of a planet, its postings are as long as a continent.
        let far_m = FARTHEST_RADII * ground.ellipsoid().semi_major_m();
        let near_m = NEAREST_M.max((NEAREST_POSTINGS * ground.posting_m(self.normal())).min(far_m));
        self.whole_from_m.map_or(near_m, |whole_m| whole_m.max(near_m))
    }
}

/// Ground between meridians and parallels, seen as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// West, south, east, north in degrees; east below west crosses the antimeridian.
    pub bbox_deg: [f64; 4],
    /// The planet that it is on.
    pub ellipsoid: Ellipsoid,
    /// Between which heights the ground is, metres.
    pub range_m: (f64, f64),
}

impl Extent {
    /// The ground of a box: between which heights it is tell some of its places.
    pub fn of_ground(bbox_deg: [f64; 4], ground: &dyn Ground) -> Extent {
        /// Along each side.
        const PLACES: u32 = 16;
        let heights_m = places_of_box(bbox_deg, PLACES).map(|n| ground.height_m(n));
        let range_m = heights_m.fold((f64::INFINITY, f64::NEG_INFINITY), |range, m| (range.0.min(m), range.1.max(m)));
        Extent { bbox_deg, ellipsoid: ground.ellipsoid(), range_m }
    }

    /// All of it, in a picture of so many pixels to each side for one up, from a direction: degrees clockwise from north, and degrees up, or
    /// those of its size.
    pub fn view(&self, lens: Lens, aspect: f64, heading_deg: f64, pitch: Option<f64>) -> Pose {
        let [west, south, _, north] = self.bbox_deg;
        let width_deg = width_deg(self.bbox_deg);
        let (mut lat_deg, mut lon_deg) = (0.5 * (south + north), west + 0.5 * width_deg);
        let mut parts = PARTS;
        if width_deg > GLOBE_DEG || north - south > GLOBE_DEG {
            let is_round_pole = (north > 89.9 || south < -89.9) && north - south <= CAP_DEG;
            if !is_round_pole {
                let (pitch_deg, lon_deg) = (-90.0, if width_deg >= 360.0 { Pose::HOME.lon_deg } else { lon_deg });
                return Pose { lat_deg, lon_deg, height_m: home(self.ellipsoid).height_m, heading_deg, pitch_deg };
            }
            // Greenwich is below the north pole, and above the south pole, as on most maps of them.
            (lat_deg, lon_deg) = (90f64.copysign(north + south), 0.0);
            parts = CAP_PARTS;
        }
        let points: Vec<DVec3> = places_of_box(self.bbox_deg, parts)
            .flat_map(|n| [self.range_m.0, self.range_m.1].map(|height_m| self.ellipsoid.ecef(n, height_m)))
            .collect();
        let n = geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        let middle_m = 0.5 * (self.range_m.0 + self.range_m.1);
        let from = |distance_m: f64| {
            looking_at(
                self.ellipsoid,
                self.ellipsoid.ecef(n, middle_m),
                heading_deg,
                pitch.unwrap_or_else(|| default_pitch_deg(distance_m)),
                distance_m,
            )
        };
        let holds_all = |pose: &Pose| {
            let camera = Camera::on(self.ellipsoid, pose);
            let seen = |point: &DVec3| camera.project(*point, aspect, lens.fov_y_rad);
            points.iter().all(|point| seen(point).is_some_and(|at| at.abs().max_element() <= FILLED))
        };
        let (mut near, mut far) = (50f64.ln(), FARTHEST_M.ln());
        for _ in 0..40 {
            let half = 0.5 * (near + far);
            if holds_all(&from(half.exp())) { far = half } else { near = half }
        }
        let pose = from(far.exp());
        Pose { height_m: pose.height_m.max(self.range_m.1 + CLEARANCE_M), ..pose }
    }
}

/// At which pitch is looked at something from a distance, degrees.
fn default_pitch_deg(distance_m: f64) -> f64 {
    let between = PITCHES.windows(2).find_map(|pair| match *pair {
        [(near_m, near_deg), (far_m, far_deg)] if distance_m <= far_m => {
            let part = ((distance_m / near_m).ln() / (far_m / near_m).ln()).max(0.0);
            Some(near_deg + part * (far_deg - near_deg))
        }
        _ => None,
    });
    between.unwrap_or(-90.0)
}

/// The pitch at an eye that is seen so many degrees above the horizon from a place (ECEF metres) so far away.
pub fn pitch_from_deg(target_m: DVec3, above_horizon_deg: f64, distance_m: f64) -> f64 {
    let (sin, cos) = above_horizon_deg.to_radians().sin_cos();
    let radius_m = target_m.length();
    let eye_m = (radius_m * radius_m + distance_m * distance_m + 2.0 * radius_m * distance_m * sin).sqrt();
    (radius_m * cos / eye_m).min(1.0).asin().to_degrees() - 90.0
}

/// The view of a whole planet that is flown to when nothing else is asked for: that of the Earth, from as many radii.
pub fn home(ellipsoid: Ellipsoid) -> Pose {
    Pose { height_m: Pose::HOME.height_m * ellipsoid.size(), ..Pose::HOME }
}

/// The view with a place (ECEF metres) in its middle, so far away: the line of sight has a heading there, and a pitch where the eye is, or
/// one that is steep enough for the Earth not to be in the way. The ground curves on the way to the eye, so some rounds are made.
pub fn looking_at(ellipsoid: Ellipsoid, target_m: DVec3, heading_deg: f64, pitch_deg: f64, distance_m: f64) -> Pose {
    let pitch_deg = pitch_deg.min(pitch_from_deg(target_m, LOWEST_DEG, distance_m));
    let n = ellipsoid.normal_at(target_m);
    let (east, north, _) = geodesy::east_north_up(n);
    let (sin, cos) = heading_deg.to_radians().sin_cos();
    let attitude = Attitude { heading: east * sin + north * cos, pitch_rad: pitch_deg.to_radians() };
    let height_m = ellipsoid.height_m(target_m);
    facing(&Camera::new(ellipsoid, n, height_m + distance_m, attitude), target_m, distance_m).pose()
}

/// Geodetic normals of places between west, south, east and north in degrees: those of a grid of so many parts along each side. East below
/// west crosses the antimeridian.
pub fn places_of_box([west, south, east, north]: [f64; 4], parts: u32) -> impl Iterator<Item = DVec3> {
    let at = move |i: u32, from: f64, length: f64| (from + length * f64::from(i) / f64::from(parts)).to_radians();
    let places = (0..=parts).flat_map(move |i| (0..=parts).map(move |j| (i, j)));
    let width_deg = width_deg([west, south, east, north]);
    places.map(move |(i, j)| geodesy::n_vector(at(i, south, north - south), at(j, west, width_deg)))
}

fn width_deg([west, _, east, _]: [f64; 4]) -> f64 {
    if east < west { east + 360.0 - west } else { east - west }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::resolve;
    use crate::terrain::flat;

    struct WithoutData(f64);

    impl Ground for WithoutData {
        fn ellipsoid(&self) -> Ellipsoid {
            Ellipsoid::WGS84
        }

        fn height_m(&self, _: DVec3) -> f64 {
            self.0
        }
    }

    impl GroundData for WithoutData {
        fn posting_m(&self, _: DVec3) -> f64 {
            30.0
        }
    }

    fn destination(name: &str) -> Destination {
        Destination::from(resolve(name).unwrap_or_else(|_| panic!("{name}")))
    }

    /// Law: a place without a height is in the middle of its view, whatever its size and the direction.
    #[test]
    fn a_place_without_a_height_is_in_the_middle_of_its_view() {
        let now = Camera::from_pose(&Pose::HOME);
        for name in ["Matterhorn", "Lake Victoria", "Sahara", "Switzerland", "South Pole"] {
            let to = destination(name);
            let from = |heading_deg, pitch_deg| to.view_along(heading_deg, pitch_deg, &WithoutData(500.0));
            for pose in [to.view(&now, &WithoutData(500.0)), from(130.0, -40.0), from(-80.0, -3.0)] {
                let camera = Camera::from_pose(&pose);
                let hit = flat(500.0).ray(camera.eye_m, camera.forward(), 1e8).expect("a short march");
                let hit = hit.unwrap_or_else(|| panic!("{name}: sky")).place;
                let off = hit.normal().angle_between(to.normal()) * Ellipsoid::WGS84.semi_major_m();
                assert!(off < 1e-3 * to.distance_m(&WithoutData(500.0)), "{name}: {off} m");
            }
        }
    }

    /// Law: what is larger is seen from further away and more from above; a height is taken as it is, but for the ground.
    #[test]
    fn what_is_large_is_seen_from_above() {
        let now = Camera::from_pose(&Pose::HOME);
        let views =
            ["Mount Everest", "Lake Victoria", "Sahara"].map(|name| destination(name).view(&now, &WithoutData(100.0)));
        assert!(views.windows(2).all(|pair| pair[0].height_m < pair[1].height_m), "{views:?}");
        assert!(views.windows(2).all(|pair| pair[0].pitch_deg > pair[1].pitch_deg), "{views:?}");
        assert!((views[0].pitch_deg + 25.0).abs() < 1e-6, "{views:?}");
        let low = Destination::from(Place { height_m: Some(30.0), ..Place::at(10.0, 20.0) });
        assert_eq!(low.view(&now, &WithoutData(400.0)).height_m, 402.0);
    }

    /// Law: every corner of a box is in the picture, and one of them is near its edge; across the antimeridian and at a pole too.
    #[test]
    fn a_box_fills_the_picture() {
        let lens = Lens { fov_y_rad: 45f64.to_radians() };
        for bbox_deg in [
            [-84.5, 36.2, -84.2, 36.5],
            [5.9, 45.8, 10.5, 47.8],
            [179.0, -18.0, -179.0, -16.0],
            [0.0, 88.0, 90.0, 90.0],
            [10.0, 20.0, 10.001, 20.001],
            [-180.0, 64.0, 180.0, 90.0],
            [-180.0, -90.0, 180.0, -60.0],
            [-100.0, 89.0, 160.0, 90.0],
        ] {
            let extent = Extent { bbox_deg, ellipsoid: Ellipsoid::WGS84, range_m: (200.0, 900.0) };
            for (aspect, pitch) in [(1.6, None), (0.5, Some(-90.0)), (1.0, Some(-30.0))] {
                // A cap is seen from above.
                let pitch = if bbox_deg[2] - bbox_deg[0] > GLOBE_DEG { pitch.map(|_| -90.0) } else { pitch };
                let camera = Camera::from_pose(&extent.view(lens, aspect, 0.0, pitch));
                let [west, south, east, north] = bbox_deg;
                // Of a cap all of its rim.
                let parts = if east - west > GLOBE_DEG { 36 } else { 1 };
                let lons = (0..=parts).map(|k| west + width_deg(bbox_deg) * f64::from(k) / f64::from(parts));
                let corners: Vec<_> = lons.flat_map(|lon| [(south, lon), (north, lon)]).collect();
                let seen = corners.iter().flat_map(|(lat, lon)| [(*lat, *lon, 200.0), (*lat, *lon, 900.0)]).map(
                    |(lat, lon, height_m): (f64, f64, f64)| {
                        let n = geodesy::n_vector(lat.to_radians(), lon.to_radians());
                        camera.project(extent.ellipsoid.ecef(n, height_m), aspect, lens.fov_y_rad)
                    },
                );
                let most = seen.map(|at| at.expect("before the eye").abs().max_element()).fold(0.0, f64::max);
                assert!(most <= FILLED + 1e-6 && most > 0.6, "{bbox_deg:?} {aspect} {pitch:?}: {most}");
            }
        }
    }
}
