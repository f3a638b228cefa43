//! The tint of atlases: sea floor, lowland, mountain, and ice towards the poles.

type ColourStops = &'static [(f64, [u8; 3])];

/// Colours (sRGB) by depth in metres.
const SEA: ColourStops = &[
    (0.0, [138, 213, 208]),
    (15.0, [112, 200, 204]),
    (80.0, [86, 180, 199]),
    (200.0, [60, 156, 189]),
    (900.0, [39, 121, 168]),
    (2_500.0, [26, 86, 140]),
    (4_000.0, [16, 58, 108]),
    (5_400.0, [9, 36, 78]),
    (6_500.0, [5, 20, 50]),
    (8_000.0, [3, 10, 30]),
    (11_000.0, [1, 4, 16]),
];

/// Colours (sRGB) by height in metres.
const LAND: ColourStops = &[
    (0.0, [84, 132, 78]),
    (120.0, [96, 146, 82]),
    (300.0, [130, 164, 92]),
    (600.0, [176, 184, 112]),
    (1_000.0, [204, 188, 124]),
    (1_600.0, [194, 162, 100]),
    (2_400.0, [166, 126, 76]),
    (3_400.0, [140, 104, 64]),
    (4_300.0, [132, 102, 74]),
    (4_900.0, [152, 126, 100]),
    (5_400.0, [190, 174, 158]),
    (5_900.0, [238, 238, 240]),
    (6_500.0, [252, 253, 255]),
    (9_000.0, [255, 255, 255]),
];

/// Ice and snow.
const ICE: [u8; 3] = [240, 246, 252];

/// Height of the permanent snow by latitude in degrees, north: dry continents lift it.
const SNOW_NORTH_M: &[(f64, f64)] = &[
    (0.0, 5_500.0),
    (32.0, 6_000.0),
    (45.0, 3_700.0),
    (58.0, 2_100.0),
    (66.0, 1_500.0),
    (74.0, 700.0),
    (80.0, 150.0),
    (84.0, -50.0),
    (90.0, -50.0),
];

/// The same, south: the southern ocean is cold, and Antarctica lies under ice.
const SNOW_SOUTH_M: &[(f64, f64)] = &[
    (0.0, 5_500.0),
    (25.0, 6_000.0),
    (38.0, 3_600.0),
    (48.0, 1_600.0),
    (56.0, 700.0),
    (63.0, 0.0),
    (66.0, -400.0),
    (90.0, -400.0),
];

/// Colour (sRGB, 0 to 255) of the sea floor at a depth in metres.
pub fn sea(depth_m: f64) -> [f64; 3] {
    between(SEA, depth_m)
}

/// Colour (sRGB, 0 to 255) of land at a height in metres.
pub fn land(height_m: f64, lat_deg: f64) -> [f64; 3] {
    let bare = climate(between(LAND, height_m), height_m, lat_deg);
    let snow_m = linear_table(if lat_deg >= 0.0 { SNOW_NORTH_M } else { SNOW_SOUTH_M }, lat_deg.abs());
    let soft_m = 250.0 + 0.05 * snow_m.max(0.0);
    let ice = smoothstep(snow_m - soft_m, snow_m + soft_m, height_m);
    mix(bare, ICE.map(f64::from), ice)
}

/// Lowland is greener in the tropics, drier around 25 degrees, and grey-green in the far north.
fn climate(colour: [f64; 3], height_m: f64, lat_deg: f64) -> [f64; 3] {
    let low = 1.0 - smoothstep(300.0, 1_800.0, height_m);
    let belt = |middle: f64, half: f64| {
        let x = (lat_deg.abs() - middle) / half;
        (1.0 - x * x).max(0.0)
    };
    let dry = mix(colour, [196.0, 176.0, 116.0], 0.38 * belt(25.0, 10.0) * low);
    let wet = mix(dry, [54.0, 112.0, 62.0], 0.40 * belt(0.0, 14.0) * low);
    mix(wet, [142.0, 144.0, 112.0], 0.55 * smoothstep(60.0, 74.0, lat_deg.abs()) * low)
}

fn between(stops: ColourStops, at: f64) -> [f64; 3] {
    let next = stops.partition_point(|(x, _)| *x <= at).clamp(1, stops.len() - 1);
    let ((x0, a), (x1, b)) = (stops[next - 1], stops[next]);
    mix(a.map(f64::from), b.map(f64::from), ((at - x0) / (x1 - x0)).clamp(0.0, 1.0))
}

fn linear_table(table: &[(f64, f64)], at: f64) -> f64 {
    let next = table.partition_point(|(x, _)| *x <= at).clamp(1, table.len() - 1);
    let ((x0, a), (x1, b)) = (table[next - 1], table[next]);
    a + (b - a) * ((at - x0) / (x1 - x0)).clamp(0.0, 1.0)
}

fn mix(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
