//! How is the area below a line of a plot filled? By quads: egui fills convex shapes only.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, pos2};

/// The area between points, from left to right and each with its colour, and a bottom.
pub(super) fn area_below(points: impl IntoIterator<Item = (Pos2, Color32)>, bottom: f32) -> Mesh {
    let mut mesh = Mesh::default();
    for (top, color) in points {
        for pos in [top, pos2(top.x, bottom)] {
            mesh.vertices.push(Vertex { pos, uv: WHITE_UV, color });
        }
    }
    for first in (0..(mesh.vertices.len() / 2).saturating_sub(1) as u32).map(|step| 2 * step) {
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 3, first + 2);
    }
    mesh
}
