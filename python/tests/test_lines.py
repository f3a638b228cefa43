"""Are slopes, rays, lines of sight, profiles and viewsheds those of the heights? Against differences and marches by brute force."""

import numpy as np
import pyproj
import pytest
from conftest import places

import orogen

GEOD = pyproj.Geod(ellps="WGS84")
TO_ECEF = pyproj.Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)
FROM_ECEF = pyproj.Transformer.from_crs("EPSG:4978", "EPSG:4979", always_xy=True)


def test_slopes_aspects_and_normals_are_of_differences(rng, hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(3, 96, 500), rng.uniform(3, 76, 500))
    step = 0.5 * surface.provenance(lat, lon).posting_m

    def beside(azimuth):
        x, y, _ = GEOD.fwd(lon, lat, np.full_like(lat, azimuth), step)
        return surface.heights(y, x)

    east, north = (beside(90) - beside(270)) / (2 * step), (beside(0) - beside(180)) / (2 * step)
    assert np.max(np.abs(np.tan(np.radians(surface.slope(lat, lon))) - np.hypot(east, north))) < 0.01
    aspect = np.degrees(np.arctan2(-east, -north)) % 360
    away = (surface.aspect(lat, lon) - aspect + 180) % 360 - 180
    assert np.max(np.abs(away)[np.hypot(east, north) > 0.05]) < 3
    normals = surface.normals(lat, lon)
    expected = np.stack([-east, -north, np.ones_like(east)], axis=-1)
    assert np.max(np.abs(normals - expected / np.linalg.norm(expected, axis=-1, keepdims=True))) < 0.01
    earth = surface.normals(lat, lon, frame="ecef")
    up = np.stack([np.cos(np.radians(lat)) * np.cos(np.radians(lon)), np.cos(np.radians(lat)) * np.sin(np.radians(lon)), np.sin(np.radians(lat))], axis=-1)
    assert np.max(np.abs(np.sum(earth * up, axis=-1) - normals[:, 2])) < 1e-9
    # Next to nothing there is no slope.
    edge = places(crs, transform, np.float64(0), np.float64(40))
    assert np.isfinite(surface.heights(*edge)) and np.isnan(surface.slope(*edge))
    assert np.isfinite(surface.slope(lat, lon, rule="horn")).all()


def marched(surface, start, end, refraction_free=True):
    """Whether ground stands between two points, a step a metre, the last metre left out."""
    a, b = (np.array(TO_ECEF.transform(lon, lat, height)) for lat, lon, height in (start, end))
    length = np.linalg.norm(b - a)
    along = np.arange(1.0, length - 1.0, 1.0)
    points = a + (b - a) * (along / length)[:, None]
    lon, lat, height = FROM_ECEF.transform(*points.T)
    ground = surface.heights(lat, lon)
    return np.nanmax(ground - height, initial=-np.inf)


def test_sights_are_those_of_a_march(rng, hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(5, 94, (2, 150)), rng.uniform(5, 74, (2, 150)))
    found = surface.sight(lat[0], lon[0], lat[1], lon[1], eye_height=20.0, target_height=3.0)
    heights = surface.heights(lat, lon)
    for k in range(150):
        start = (lat[0, k], lon[0, k], heights[0, k] + 20.0)
        over = marched(surface, start, (lat[1, k], lon[1, k], heights[1, k] + 3.0))
        if abs(over) > 0.05:
            assert found.visible[k] == (over < 0), k
        assert np.isnan(found.distance_m[k]) == found.visible[k]
    assert 10 < found.visible.sum() < 140


def test_rays_end_on_the_ground(rng, hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(30, 70, 200), rng.uniform(30, 50, 200))
    hits = surface.ray(lat, lon, 300.0, rng.uniform(0, 360, 200), -40.0, above_ground=True, reach=5000.0)
    assert np.isfinite(hits.distance_m).all()
    assert np.max(np.abs(hits.height_m - surface.heights(hits.lat, hits.lon))) < 1e-6
    start = np.array(TO_ECEF.transform(lon, lat, surface.heights(lat, lon) + 300.0))
    end = np.array(TO_ECEF.transform(hits.lon, hits.lat, hits.height_m))
    assert np.max(np.abs(np.linalg.norm(end - start, axis=0) - hits.distance_m)) < 1e-2
    assert np.isnan(surface.ray(lat, lon, 5000.0, 0.0, 10.0).distance_m).all()


def test_rays_reach_as_far_as_is_asked(hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, np.float64(50), np.float64(40))
    ray = lambda reach, pitch=-90.0: surface.ray(lat, lon, 200_000.0, 0.0, pitch, above_ground=True, reach=reach).distance_m
    assert ray(np.inf) == ray(300_000.0) == pytest.approx(200_000.0, abs=1e-3)
    assert np.isnan(ray(np.inf, 10.0)) and np.isnan(ray(100.0))
    assert np.array_equal(np.isnan(ray([np.inf, 0.0, np.nan])), [False, True, True])


def test_profiles_are_heights_along_a_geodesic(hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, np.array([5.0, 90.0]), np.array([5.0, 70.0]))
    profile = surface.profile(lat[0], lon[0], lat[1], lon[1], samples=50)
    _, _, length = GEOD.inv(lon[0], lat[0], lon[1], lat[1])
    assert np.allclose(profile.distance_m, np.linspace(0, length, 50))
    assert np.allclose(profile.height_m, surface.heights(profile.lat, profile.lon))
    many = surface.profile(lat[0], lon[0], lat[:, None], lon, samples=7)
    assert many.height_m.shape == (2, 2, 7)


def test_viewsheds_are_lines_of_sight(hills):
    surface, _, crs, transform = hills
    lat, lon = (float(v) for v in places(crs, transform, np.float64(50), np.float64(20)))
    shed = surface.viewshed(lat, lon, 900.0, eye_height=10.0, cell=60.0, target_height=1.0)
    assert shed.cells.shape == (31, 31) and shed.cells.dtype == np.uint8
    to_plane = pyproj.Transformer.from_crs(shed.crs, "EPSG:4326", always_xy=True)
    rows, columns = np.mgrid[0:31, 0:31]
    a, _, c, _, e, f = shed.transform
    x, y = a * (columns + 0.5) + c, e * (rows + 0.5) + f
    lons, lats = to_plane.transform(x, y)
    known = np.isfinite(surface.heights(lats, lons)) & (np.hypot(x, y) <= 900.0)
    assert np.array_equal(shed.cells == 255, ~known) and (~known & (np.hypot(x, y) <= 900.0)).any()
    seen = surface.sight(lat, lon, lats, lons, eye_height=10.0, target_height=1.0).visible
    assert np.array_equal(shed.cells[known] == 1, seen[known])
    assert 20 < (shed.cells == 1).sum() < known.sum()


def test_light_ends_at_the_surface_of_the_sea():
    """Law: over a floor 1 000 m down, an eye 2 m above the sea sees 5.05 km of it; heights remain those of the floor, and without water so
    does all else."""
    deep = np.full((400, 400), -1000.0)
    place = dict(transform=(0.001, 0, -30.0, 0, -0.001, 40.0), crs="EPSG:4326")
    sea, floor = orogen.Surface.open(deep, **place), orogen.Surface.open(deep, **place, water=False)
    at = (39.8, -29.8)
    assert sea.heights(*at) == floor.heights(*at) == -1000.0
    assert sea.profile(*at, 39.81, -29.8).height_m[0] == -1000.0
    down = dict(height=100.0, heading=0.0, pitch=-90.0)
    assert sea.ray(*at, **down).distance_m.round(3) == 100.0
    assert floor.ray(*at, **down).distance_m.round(3) == 1100.0
    near, far = -29.8 + 5.0 / 85.4, -29.8 + 5.1 / 85.4
    assert sea.sight(*at, 39.8, [near, far]).visible.tolist() == [True, False]
    shed = sea.viewshed(*at, 6000, cell=100, eye_height=2.0)
    seen = np.argwhere(shed.cells == 1) - shed.cells.shape[0] // 2
    assert 4_900 < 100 * np.hypot(*seen.T).max() < 5_200
    assert sea.horizon(*at, directions=4, eye_height=100.0).elevation.round(2).tolist() == [-0.32] * 4
    with pytest.raises(ValueError, match="no data"):
        sea.viewshed(10.0, 10.0, 100)
