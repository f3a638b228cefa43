//! What does a flight go on over, when files are opened, arranged or saved?

use std::path::Path;

use terrain::geodesy::Ellipsoid;

use super::super::ground::ViewTarget;
use super::{Flight, detached};
use crate::camera::Camera;
use crate::capture::{save_scene, saved_message};
use crate::hud::Hud;
use crate::input::bindings::Action;
use crate::input::{Controls, Devices};
use crate::layers::{LayerEdit, Layers};
use crate::placemarks::PlacemarkFile;
use crate::scene::{Scene, SceneOptions};
use crate::scene_file::scene_of;
use crate::terrain::Planet;

impl Flight {
    /// Takes the choices of a scene for those of the user.
    pub fn choose(&mut self, scene: &SceneOptions) {
        Scene::choose(scene, &mut self.app.world);
    }

    /// The file that is chosen of those of the scene stays chosen among others, which are these edited, or other files too.
    pub fn apply_layer_edits(&mut self, edit: Option<LayerEdit>, to: &Layers) {
        let world = &mut self.app.world;
        let (chosen, layers) = (world.resource::<Hud>().layer, world.resource::<Layers>());
        let chosen = chosen.and_then(|place| layers.followed(place, edit, to));
        world.resource_mut::<Hud>().layer = chosen;
    }

    /// The body that is flown over.
    pub fn body(&self) -> Ellipsoid {
        self.app.world.resource::<Planet>().ground().ellipsoid()
    }

    /// Flies to what is to be seen, and draws what lies on the ground of it.
    pub(in crate::window) fn show(&mut self, view_target: ViewTarget) {
        detached::show(&mut self.app.world, view_target);
    }

    /// Goes on with the pictures, some of which have just been opened, and vector data of a scene over the same elevation; false if some are
    /// missing.
    pub fn rearrange(&mut self, scene: &SceneOptions) -> bool {
        let world = &mut self.app.world;
        let SceneOptions { pictures, opened_pictures, vectors, .. } = scene;
        let is_known = world.resource_mut::<Planet>().rearrange_imagery(pictures, opened_pictures, vectors);
        if is_known {
            world.insert_resource(scene.layers());
        }
        is_known
    }

    /// Saves what is seen as a scene, if that was asked for in this frame; `scene` is what was loaded.
    pub fn save_scene(&mut self, scene: &SceneOptions) {
        let world = &self.app.world;
        if !world.resource::<Controls>().is_triggered(Action::SaveScene) {
            return;
        }
        let (folder, view) = (Path::new(""), world.resource::<Camera>().pose());
        let mut scene = Scene::with_user_choices(scene, world);
        // Placemarks are the user's, and drawn with any scene.
        let placemarks = world.resource::<PlacemarkFile>();
        scene.vectors.retain(|layer| !placemarks.is(&layer.file.path));
        let said = scene_of(&scene, view, Path::new("."));
        let key = world.resource::<Devices>().keymap().key(Action::OpenFiles);
        let told = match said.map(|said| save_scene(folder, &said.to_json())) {
            Ok(Ok(path)) => format!("{}; {key} opens it", saved_message(Ok(path))),
            Ok(Err(why)) => why.to_string(),
            Err(why) => why,
        };
        self.show_message(told);
    }
}
