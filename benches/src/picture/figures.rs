//! How alike are two pictures? Structural similarity, energy of gradients, change, angles of normals.

use glam::DVec3;
use image::RgbImage;

/// Luma of a picture, 0 to 255, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Luma {
    width: usize,
    values: Vec<f64>,
}

/// Weights of the window of [`Luma::ssim`]: 11 taps of a Gaussian of 1.5 pixels.
const TAPS: usize = 11;
const SIGMA_PX: f64 = 1.5;
/// What keeps the quotients of dark and of plain windows finite, squared parts of 255.
const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);

impl Luma {
    /// Of a picture in sRGB, by the weights of Rec. 709.
    pub fn of(picture: &RgbImage) -> Luma {
        let luma = |p: &image::Rgb<u8>| 0.2126 * f64::from(p[0]) + 0.7152 * f64::from(p[1]) + 0.0722 * f64::from(p[2]);
        Luma { width: picture.width() as usize, values: picture.pixels().map(luma).collect() }
    }

    /// Mean structural similarity over all windows inside of two pictures of one size; 1 for pictures smaller than a window.
    pub fn ssim(&self, other: &Luma) -> f64 {
        let product = |a: &Luma, b: &Luma| {
            let values = a.values.iter().zip(&b.values).map(|(a, b)| a * b).collect();
            Luma { width: a.width, values }.blurred()
        };
        let (mean_a, mean_b) = (self.blurred(), other.blurred());
        let (aa, bb, ab) = (product(self, self), product(other, other), product(self, other));
        let windows = mean_a.iter().zip(mean_b).zip(aa.iter().zip(bb).zip(ab));
        let (mut sum, mut count) = (0.0, 0usize);
        for ((a, b), ((aa, bb), ab)) in windows {
            let (variance_a, variance_b, covariance) = (aa - a * a, bb - b * b, ab - a * b);
            sum +=
                (2.0 * a * b + C1) * (2.0 * covariance + C2) / ((a * a + b * b + C1) * (variance_a + variance_b + C2));
            count += 1;
        }
        if count == 0 { 1.0 } else { sum / count as f64 }
    }

    /// Gaussian means of all windows inside.
    fn blurred(&self) -> Vec<f64> {
        let taps: [f64; TAPS] = std::array::from_fn(|i| (-0.5 * ((i as f64 - 5.0) / SIGMA_PX).powi(2)).exp());
        let sum: f64 = taps.iter().sum();
        let taps = taps.map(|tap| tap / sum);
        let height = self.values.len() / self.width;
        let mean = |at: &dyn Fn(usize) -> f64| taps.iter().enumerate().map(|(i, tap)| tap * at(i)).sum::<f64>();
        let columns = (self.width + 1).saturating_sub(TAPS);
        let along: Vec<f64> = self
            .values
            .chunks_exact(self.width)
            .flat_map(|row| (0..columns).map(|x| mean(&|i| row[x + i])).collect::<Vec<f64>>())
            .collect();
        let rows = (height + 1).saturating_sub(TAPS);
        (0..rows)
            .flat_map(|y| (0..columns).map(move |x| (x, y)))
            .map(|(x, y)| mean(&|i| along[(y + i) * columns + x]))
            .collect()
    }

    /// Mean square of the gradient, in levels a pixel by central differences, over pixels of a mask whose four neighbours are in it, too; none
    /// without any.
    pub fn energy(&self, mask: &[bool]) -> Option<f64> {
        let (width, height) = (self.width, self.values.len() / self.width);
        let inner = (1..height.saturating_sub(1)).flat_map(|y| (1..width - 1).map(move |x| y * width + x));
        let square = |at: usize| {
            let neighbours = [at - 1, at + 1, at - width, at + width];
            let [left, right, above, below] = neighbours.map(|at| self.values[at]);
            let is_inside = mask[at] && neighbours.iter().all(|at| mask[*at]);
            is_inside.then_some(0.25 * ((right - left).powi(2) + (below - above).powi(2)))
        };
        let (sum, count) = inner.filter_map(square).fold((0.0, 0), |(sum, count), square| (sum + square, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    }

    /// Mean absolute difference to another picture of the same size.
    pub fn change(&self, other: &Luma) -> f64 {
        let sum: f64 = self.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).sum();
        sum / self.values.len() as f64
    }
}

/// Angles between unit normals, degrees, ascending; pixels without one on either side are left out.
pub fn angles_deg(drawn: &[Option<DVec3>], reference: &[Option<DVec3>]) -> Vec<f64> {
    let pairs = drawn.iter().zip(reference).filter_map(|(a, b)| Some((((*a)?), (*b)?)));
    let mut angles: Vec<f64> = pairs.map(|(a, b)| a.angle_between(b).to_degrees()).collect();
    angles.sort_by(f64::total_cmp);
    angles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32, of: impl Fn(u32, u32) -> f64) -> Luma {
        Luma::of(&RgbImage::from_fn(width, height, |x, y| image::Rgb([of(x, y) as u8; 3])))
    }

    /// Laws: a picture is like itself; two plain ones are as like as their means are; noise lowers it, and more noise more.
    #[test]
    fn similarity_is_that_of_wang_et_al() {
        let texture = |x: u32, y: u32| f64::from((x * 37 + y * 101 + x * y * 7) % 97) + 60.0;
        let picture = grey(40, 30, texture);
        assert!((picture.ssim(&picture) - 1.0).abs() < 1e-12);
        let (a, b) = (grey(20, 20, |_, _| 100.0), grey(20, 20, |_, _| 140.0));
        let expected = (2.0 * 100.0 * 140.0 + C1) / (100.0f64.powi(2) + 140.0f64.powi(2) + C1);
        assert!((a.ssim(&b) - expected).abs() < 1e-9, "{} {expected}", a.ssim(&b));
        // Brute force over one window.
        let noisy = grey(11, 11, |x, y| texture(x, y) + f64::from((x * y + x) % 23));
        let plain = grey(11, 11, texture);
        let weight = |k: usize| {
            let [x, y] = [k % 11, k / 11].map(|i| i as f64 - 5.0);
            (-(x * x + y * y) / (2.0 * SIGMA_PX * SIGMA_PX)).exp()
        };
        let total: f64 = (0..121).map(weight).sum();
        let mean = |of: &dyn Fn(usize) -> f64| (0..121).map(|k| weight(k) * of(k)).sum::<f64>() / total;
        let (ma, mb) = (mean(&|k| plain.values[k]), mean(&|k| noisy.values[k]));
        let va = mean(&|k| (plain.values[k] - ma).powi(2));
        let vb = mean(&|k| (noisy.values[k] - mb).powi(2));
        let cov = mean(&|k| (plain.values[k] - ma) * (noisy.values[k] - mb));
        let expected = (2.0 * ma * mb + C1) * (2.0 * cov + C2) / ((ma * ma + mb * mb + C1) * (va + vb + C2));
        assert!((plain.ssim(&noisy) - expected).abs() < 1e-9, "{} {expected}", plain.ssim(&noisy));
        let worse = |by: u32| grey(40, 30, |x, y| texture(x, y) + f64::from((x * 13 + y * 29) % by));
        let [some, more] = [20, 60].map(|by| picture.ssim(&worse(by)));
        assert!(1.0 > some && some > more && more > 0.0, "{some} {more}");
    }

    /// Laws: twice the contrast has four times the energy; what is beside the mask does not count; a plain picture has none.
    #[test]
    fn energy_is_that_of_the_gradients() {
        let ramp = |by: f64| grey(16, 12, move |x, y| by * f64::from(x + 2 * y) + if x == 8 { 50.0 } else { 0.0 });
        let plain = |value: f64| grey(16, 12, move |_, _| value);
        let beside: Vec<bool> = (0..16 * 12).map(|k| !(7..=9).contains(&(k % 16))).collect();
        let energy = |by: f64| ramp(by).energy(&beside).expect("pixels");
        assert!((energy(2.0) - 20.0).abs() < 1e-9 && (energy(4.0) - 4.0 * energy(2.0)).abs() < 1e-9, "{}", energy(2.0));
        assert!(ramp(2.0).energy(&[true; 16 * 12]).expect("pixels") > 2.0 * energy(2.0));
        assert_eq!(ramp(2.0).energy(&[false; 16 * 12]), None);
        assert_eq!(plain(9.0).energy(&beside), Some(0.0));
        assert!((plain(9.0).change(&plain(12.0)) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn angles_are_those_between_normals() {
        let up = Some(DVec3::Z);
        let tilted = |deg: f64| Some(DVec3::new(deg.to_radians().sin(), 0.0, deg.to_radians().cos()));
        let angles = angles_deg(&[up, up, None, up], &[tilted(3.0), up, up, None]);
        assert_eq!(angles.len(), 2);
        assert!(angles[0] < 1e-9 && (angles[1] - 3.0).abs() < 1e-9, "{angles:?}");
    }
}
