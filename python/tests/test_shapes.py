"""Are meshes within their error and whole, and pictures those of the ground?"""

import numpy as np
import pyproj
import pytest
from conftest import places

import orogen

TO_ECEF = pyproj.Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)


def box(crs, transform):
    """An area within the hills."""
    lat, lon = places(crs, transform, np.array([10.0, 85.0]), np.array([65.0, 12.0]))
    return float(lon[0]), float(lat[0]), float(lon[1]), float(lat[1])


def test_vertices_are_on_the_ground_in_both_frames(hills):
    surface, _, crs, transform = hills
    bbox = box(crs, transform)
    earth, local = (surface.mesh(bbox, error=5.0, frame=frame) for frame in ("ecef", "enu"))
    assert earth.vertices.dtype == np.float64 and earth.triangles.dtype == np.uint32 and earth.vertices.shape[1] == 3
    expected = np.stack(TO_ECEF.transform(earth.lon, earth.lat, surface.heights(earth.lat, earth.lon)), axis=-1)
    assert np.max(np.abs(earth.vertices - expected)) < 1e-6
    # The same shape, in another place.
    assert np.array_equal(earth.triangles, local.triangles)
    sides = [np.linalg.norm(mesh.vertices[mesh.triangles[:, 0]] - mesh.vertices[mesh.triangles[:, 1]], axis=-1) for mesh in (earth, local)]
    assert np.max(np.abs(sides[0] - sides[1])) < 1e-6
    assert np.allclose(local.vertices.mean(axis=0)[2], local.height_m.mean(), atol=5) and np.abs(local.vertices[:, :2]).max() < 2_000


@pytest.mark.parametrize("error", [0.0, 3.0, 30.0])
def test_meshes_have_no_cracks_and_keep_to_their_error(rng, hills, error):
    trimesh = pytest.importorskip("trimesh")
    surface, _, crs, transform = hills
    west, south, east, north = bbox = box(crs, transform)
    mesh = surface.mesh(bbox, error=error)
    solid = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
    assert solid.is_winding_consistent and (solid.face_normals[:, 2] > 0).all()
    # Each side has two triangles, but at the edge of the area.
    sides, count = np.unique(np.sort(solid.edges, axis=1), axis=0, return_counts=True)
    ends = np.stack([mesh.lat[sides], mesh.lon[sides]])
    at_edge = [np.abs(ends[axis] - edge) < 1e-12 for axis, edge in ((0, south), (0, north), (1, west), (1, east))]
    assert np.array_equal(count == 1, np.any([edge.all(axis=1) for edge in at_edge], axis=0)) and count.max() == 2
    # Samples of the lattice above and below it.
    rows, columns = mesh.samples
    at = rng.integers(1, (rows - 1, columns - 1), (300, 2))
    lat, lon = south + (north - south) * at[:, 0] / (rows - 1), west + (east - west) * at[:, 1] / (columns - 1)
    x, y, z = pyproj.Transformer.from_pipeline(
        f"+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +step +proj=topocentric "
        f"+lat_0={0.5 * (south + north)!r} +lon_0={0.5 * (west + east)!r} +h_0=0"
    ).transform(lon, lat, surface.heights(lat, lon))
    corners = solid.vertices[solid.faces]
    plane = [corners[:, k, :2] for k in range(3)]
    for point in np.stack([x, y, z], axis=-1):
        left = [(b[:, 0] - a[:, 0]) * (point[1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (point[0] - a[:, 0]) for a, b in zip(plane, plane[1:] + plane[:1], strict=True)]
        over = np.min(left, axis=0) > -1e-3
        normal, corner = solid.face_normals[over], corners[over, 0]
        off = np.sum((corner - point) * normal, axis=1) / normal[:, 2]
        # Local up is the sample's own to a thousandth.
        assert np.min(np.abs(off)) <= 1.01 * error + 1e-2


def test_less_error_takes_more_triangles_and_voids_are_holes(rng):
    values = rng.uniform(0, 100, (60, 60))
    values[20:40, 20:40] = np.nan
    surface = orogen.Surface.open(values, transform=(0.001, 0, 7, 0, -0.001, 46), crs="EPSG:4326")
    counts = [len(surface.mesh((7.003, 45.943, 7.057, 45.997), error=error).triangles) for error in (100.0, 50.0, 10.0, 0.0)]
    assert counts == sorted(counts) and counts[0] < counts[-1]
    mesh = surface.mesh((7.003, 45.943, 7.057, 45.997), error=100.0)
    middle = (np.abs(mesh.lat - 45.97) < 0.005) & (np.abs(mesh.lon - 7.03) < 0.005)
    assert not middle.any() and np.isfinite(mesh.vertices).all()


def test_pictures_are_brighter_towards_the_light(rng):
    rows, columns = np.mgrid[0:200, 0:200]
    cone = 2_000.0 - 8.0 * np.hypot(rows - 100, columns - 100)
    cone[:, 190:] = np.nan
    surface = orogen.Surface.open(cone, transform=(30, 0, 500_000, 0, -30, 5_100_000), crs="EPSG:32632")
    picture = surface.shade(width=100)
    assert picture.dtype == np.uint8 and picture.shape[1:] == (100, 4) and abs(picture.shape[0] - 100) < 8
    bright = picture[..., :3].sum(axis=-1).astype(int)
    assert bright[30, 30] > bright[70, 70] + 100
    assert (picture[:, 97:, 3] < 255).all() and picture[50, 50, 3] == 255
    assert np.array_equal(picture, surface.shade(surface.bounds, width=100))
    # What is high is lighter than what is low, and what is below the sea is blue.
    level = lambda height: orogen.Surface.open(np.full((20, 20), height), transform=(0.01, 0, 7, 0, -0.01, 46), crs="EPSG:4326")
    low, high, deep = (level(h).shade(width=9, height_range=(0, 1000))[4, 4].astype(int) for h in (0.0, 1000.0, -500.0))
    assert high[:3].sum() > low[:3].sum() and deep[2] > deep[0] + 50 and low[1] > low[2]


def test_notebooks_get_a_png(hills, tmp_path):
    rasterio = pytest.importorskip("rasterio")
    surface, *_ = hills
    data = surface._repr_png_()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    with pytest.warns(rasterio.errors.NotGeoreferencedWarning):
        with rasterio.open(path) as dataset:
            assert np.array_equal(np.moveaxis(dataset.read(), 0, -1), surface.shade(width=400))
