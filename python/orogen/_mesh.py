"""Which few triangles are the ground of an area? Vertices and triangles for trimesh, pyvista and alike."""

from __future__ import annotations

from typing import Any

from ._answers import Mesh
from ._arrays import single
from ._area import box_of


class Meshes:
    """What `Surface` answers of triangles."""

    _inner: Any
    _layers: list[dict[str, Any]]

    def mesh(self, bbox: Any = None, *, error: float = 1.0, spacing: float | None = None, frame: str = "enu") -> Mesh:
        """Few triangles that are the ground of an area within an error. Ctrl-C ends it.

        A right-triangulated irregular network: no cracks. No sample of the lattice is more than ``error`` above or below the plane of its
        triangle, on the round Earth; every sample is looked at. Where there are no data the mesh has a hole.

        Parameters
        ----------
        bbox : (west, south, east, north), optional
            The area, degrees; that of the topmost data, if not given. At most to 89 degrees of latitude.
        error : float
            Metres, 0 or more.
        spacing : float, optional
            Metres between samples at most; the posting of the topmost data, if not given. There may be 16 777 216.
        frame : {"enu", "ecef"}
            Whether vertices are metres east, north and up of the middle of the area at height 0, or x, y and z of the
            Earth-centred system.

        Returns
        -------
        Mesh
            ``vertices`` of float64 and ``triangles`` of uint32, counterclockwise from above; ``lat``, ``lon`` and ``height_m`` of vertices.

        Examples
        --------
        >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
        >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
        >>> mesh = surface.mesh((9.01, 46.03, 9.03, 46.05), error=5.0)
        >>> mesh.vertices.shape[1], mesh.triangles.dtype, mesh.triangles.max() == len(mesh.vertices) - 1
        (3, dtype('uint32'), np.True_)

        In trimesh: ``trimesh.Trimesh(mesh.vertices, mesh.triangles)``; in pyvista:
        ``pyvista.PolyData.from_regular_faces(mesh.vertices, mesh.triangles)``.
        """
        if frame not in ("enu", "ecef"):
            raise ValueError(f"no frame is {frame!r}: choose enu or ecef")
        west, south, east, north = box_of(self, bbox)
        posting_m = self._layers[0]["posting_m"] if spacing is None else single(spacing, "spacing")
        origin = [0.5 * (south + north), 0.5 * (west + east), 0.0]
        vertices, triangles, (lat, lon, height_m), samples = self._inner.mesh(
            [west, south, east, north], single(error, "error"), posting_m, origin if frame == "enu" else None
        )
        if len(triangles) == 0:
            raise ValueError("no ground is in the area, or all of it lies between the corners of the mesh: take another bbox, or a finer spacing")
        return Mesh(vertices, triangles, lat, lon, height_m, (samples[1], samples[0]))
