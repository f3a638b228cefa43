//! What do the pages of `--help` say beside the options?

/// Shown by `orogen -h`.
pub const SHORT: &str = "\
Without a command the globe opens in a window.
  orogen --help          its options, keys and mouse, examples, defaults
  orogen VERB -h         the options of a verb
  orogen VERB --help     the same in full, with examples";

/// Shown by `orogen --help`.
pub const EXAMPLES: &str = "\
Examples:
  orogen                                     fly the globe
  orogen --at 20,83,600000 --look 5,-30      start south of the Himalaya
  orogen --path andes                        watch a flight along the Andes
  orogen view alps.tif                       fly your own elevation data
  orogen render --at 20,83,600000 --look 5,-30 -o himalaya.png
  orogen render --path everest --size 640x360 -o everest.gif
  orogen bench                               frame times of the flight to Everest
  orogen info                                adapter, limits, elevation data
  orogen bake alps.tif -o alps.pack          prepare large data once

Without a display, `orogen render` works; without a GPU, Mesa's software rasteriser does.";

/// Shown by `orogen view --help`.
pub const VIEW_EXAMPLES: &str = "\
Examples:
  orogen view swissalti3d.tif
  orogen view island.tif continent.vrt       the island lies on top
  orogen view srtm/                          all rasters in a folder, as one layer
  orogen view @alps.txt                      those of a list, one path a line
  orogen view dem.tif,band=2,unit=ft sea.nc  options of one raster alone
  orogen view /vsizip/srtm.zip/N27E086.hgt --at 27.6,86.9,9000";

/// Shown by `orogen query --help`.
pub const QUERY_EXAMPLES: &str = "\
Examples:
  orogen query height --at 27.988,86.925 --at Matterhorn
  orogen query height --json dem.tif < points.csv
  orogen query profile 46.5,7.9 45.8,6.8 --samples 500 alps.tif > profile.csv
  orogen query sight 27.7,85.3 27.99,86.93 --eye-height 10
  orogen query ray --at 27.5,86.5,9000 --look 40,-5
  orogen query ray --json dem.tif < rays.csv
  orogen query viewshed --at 36.33,-84.18 --radius 15000 --target-height 10 -o seen.tif data/jacksboro.tif
  orogen query horizon --at 46.0207,7.7491 -o horizon.png
  orogen query skyview --at 36.33,-84.18 --radius 5000 -o sky.tif data/jacksboro.tif
  orogen query sightlines --bbox 6.5,45.5,8.5,46.5 --cell 1000 --refraction 0.13 alps.tif
  orogen query sunlight --at 46.0207,7.7491 --year 2026 -o sun.png

Answers are CSV with a header on stdout, or JSON. Heights are metres above the datum of the layer that answers. Rays and
lines of sight pass over no ridge of the data, however narrow; they are straight through the Earth's curvature, unless
--refraction bends them.";

/// Shown by `orogen render --help`.
pub const RENDER_EXAMPLES: &str = "\
Examples:
  orogen render --at 20,80,15000000 -o earth.png
  orogen render --at Matterhorn -o matterhorn.png alps.tif
  orogen render -o all.png alps.tif                    the raster as a whole
  orogen render --fit 5.9,45.8,10.5,47.8 --look 0,-90 --map -o switzerland.png
  orogen render --at 20,83,600000 --look 5,-30 --size 1920x1080 -o himalaya.png
  orogen render --at 46.5,8,20000 --look 120,-20 -o alps.png alps.tif
  orogen render --at 46.5,8,300000 --look 0,-90 --overlays contours,graticule --map --title \"The Alps\" -o map.png
  orogen render --at 46.5,8,300000 --overlays lod -o triangles.png
  orogen render --fit 5.9,45.8,10.5,47.8 -o switzerland.tif     a GeoTIFF for QGIS
  orogen render --path everest --fps 20 --size 640x360 -o everest.gif
  orogen render --path my.json -o film.mp4              by way of ffmpeg
  orogen render --path my.json -o frame-%05d.png

A path file is JSON; key P records one in the window:
  { \"format\": \"orogen-path\", \"version\": 1, \"title\": \"Over the Alps\",
    \"keys\": [
      { \"t_s\": 0, \"lat_deg\": 45.9, \"lon_deg\": 7.5, \"height_m\": 9000, \"heading_deg\": 60, \"pitch_deg\": -20 },
      { \"t_s\": 8, \"lat_deg\": 46.0, \"lon_deg\": 7.8, \"height_m\": 6000, \"heading_deg\": 90, \"pitch_deg\": -10 } ] }
Times increase; the way between keys is smooth, and starts and ends at rest.

The picture waits until the mesh has settled: the same command gives the same bytes on the same machine.";

/// What `orogen bench --help` begins with.
pub const BENCH: &str = "\
Fly a path and measure the frames

Every frame is the path's next step, however long the last one took. Times in milliseconds:
  frame    from the step of the camera until the GPU is done; with --window until the next frame begins
  record   of that, until the commands are submitted
  wait     of that, the rest
  update   the phases of the mesh together, on the CPU or, with --mesh gpu, on the GPU's clock
  draw     the scene on the GPU's clock
Each with median, 95th and 99th percentile and maximum; so are triangles, and the elevation tiles of --mesh gpu. A stall is a
frame that takes more than three times the median; the longest are listed with their place on the path.";

/// And what it ends with.
pub const BENCH_EXAMPLES: &str = "\
Examples:
  orogen bench                               frame times of the flight to Everest
  orogen bench --path andes --json alps.tif";
