//! Which data does a height come from, beyond its layer: which file of a folder, which source of a pack?

use glam::DVec3;

use super::Relief;
use crate::{
    cube::CubePoint,
    height::elevation_source::{Location, Spacing},
    pack::origins::{Origin, Origins, SIDE, STEP, WHOLE},
    tile::{TileId, posting_m},
};

impl Relief {
    /// Name and datum of a layer's data that answer at a normal: of the file in a folder, of what a pack was made from there,
    /// and else of the layer.
    pub fn source_at(&self, layer: usize, n: DVec3) -> (String, &str) {
        let (info, opened) = (&self.infos[layer], &self.layers[layer]);
        let Some((name, datum)) = opened.source.origin(&Location::of(n)) else {
            return (info.name.clone(), &info.datum);
        };
        // A datum that was asked for is that of all layers.
        (name, datum.filter(|_| info.datum == opened.info.datum).unwrap_or(&info.datum))
    }

    /// Name of what the data of [`Relief::source_at`] are blended with within the layer: another file of a folder, or another of
    /// what a pack was made from.
    pub fn blended_within(&self, layer: usize, n: DVec3) -> Option<String> {
        Some(self.layers[layer].source.blend(&Location::of(n))?.other?.into_owned())
    }

    /// Of the data within a layer that answer at a normal: their share, and whether they are filled there, as far as a pack knows.
    pub(crate) fn share_within(&self, layer: usize, n: DVec3) -> (f64, bool) {
        self.layers[layer].source.blend(&Location::of(n)).map_or((1.0, false), |blend| (blend.share, blend.filled))
    }

    /// Metres between heights of a layer by which slopes are told at a normal: in packs those of the finest data that may be there,
    /// since the ground around a void is not without them.
    pub(crate) fn slope_step_m(&self, layer: usize, n: DVec3) -> f64 {
        let pack = self.layers[layer].source.as_pack();
        pack.map_or_else(|| self.posting_of_m(layer, n), |pack| pack.finest_posting_m(&Location::of(n)))
    }

    /// What the heights of a tile come from, by the numbers of [`Relief::sources`], of which each layer has some from one on; `None`
    /// if they are more than a pack can tell apart.
    pub(crate) fn origins(&self, id: TileId, first_sources: &[usize]) -> Option<Origins> {
        let spacing = Spacing::Vertices(posting_m(id.level));
        let nodes = (0..SIDE as u32).flat_map(|y| (0..SIDE as u32).map(move |x| (x * STEP, y * STEP)));
        let places = nodes.map(|(x, y)| self.origin(id.place(x, y).point(), spacing, first_sources));
        places.collect::<Option<Vec<_>>>().map(Origins::new)
    }

    fn origin(&self, place: CubePoint, spacing: Spacing, first_sources: &[usize]) -> Option<Origin> {
        let at = Location::of(place.normal());
        let (sample, _) = self.of_data(0, (at.normal, at.lon_deg, at.lat_deg), spacing);
        let within = |layer: usize| {
            let origin = self.layers[layer].source.as_pack().and_then(|pack| pack.origin_at(&at));
            let number = |k: u16| u16::try_from(first_sources[layer] + usize::from(k)).ok().filter(|k| *k < u16::MAX);
            let origin = origin.unwrap_or(Origin::whole(0));
            Some(Origin {
                source: number(origin.source)?,
                other: origin.other.map_or(Some(None), |other| number(other).map(Some))?,
                ..origin
            })
        };
        let top = within(sample.layer)?;
        let other = sample.blended_with.map(within);
        let share = (sample.share * top.share() * f64::from(WHOLE)) as u8;
        Some(Origin {
            share: if sample.share < 1.0 || top.share < WHOLE { share.clamp(1, WHOLE - 1) } else { WHOLE },
            other: other.map_or(Some(top.other), |other| other.map(|other| Some(other.source)))?,
            filled: sample.filled || top.filled,
            ..top
        })
    }
}
