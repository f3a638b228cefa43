//! Who is asked over the network? Nobody, unless the user named him: a server on loopback counts who comes.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use tests::program;
use tests::program::{Run, finish, program_command};

/// A server of one file by ranges.
struct Server {
    port: u16,
    requests: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(bytes: Vec<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server =
            Self { port: listener.local_addr().unwrap().port(), requests: Arc::default(), seen: Arc::default() };
        let (requests, seen) = (server.requests.clone(), server.seen.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                requests.fetch_add(1, Ordering::SeqCst);
                // Whoever hangs up early has been counted all the same.
                let _hung_up = serve(stream, &bytes, &seen);
            }
        });
        server
    }

    /// Connections since the last call.
    fn count(&self) -> usize {
        self.requests.swap(0, Ordering::SeqCst)
    }

    fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }
}

/// Answers one request, for `dem.tif`; there is nothing else.
fn serve(mut stream: TcpStream, bytes: &[u8], seen: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    seen.lock().unwrap().push(request.clone());
    let mut range = None;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some((first, last)) = line.strip_prefix("range: bytes=").and_then(|range| range.split_once('-')) {
            let last: usize = last.parse().unwrap_or(usize::MAX);
            range = Some((first.parse().unwrap_or(0), last.min(bytes.len() - 1)));
        }
    }
    let (status, body) = match range {
        _ if !request.contains("/dem.tif ") => ("404 Not Found".to_owned(), &b""[..]),
        Some((first, last)) if first <= last => (
            format!("206 Partial Content\r\nContent-Range: bytes {first}-{last}/{}", bytes.len()),
            &bytes[first..=last],
        ),
        _ => ("200 OK".to_owned(), bytes),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nAccept-Ranges: bytes\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if !request.starts_with("HEAD") {
        stream.write_all(body)?;
    }
    stream.flush()
}

struct Files(TempDir);

impl Files {
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// A virtual raster over jacksboro's place whose only source has this name.
fn virtual_raster(source: &str) -> String {
    format!(
        "<VRTDataset rasterXSize=\"300\" rasterYSize=\"300\"><SRS>EPSG:4326</SRS>\
         <GeoTransform>-84.4, 0.001, 0, 36.4, 0, -0.001</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
         <SimpleSource><SourceFilename relativeToVRT=\"0\">{source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>\
         </VRTRasterBand></VRTDataset>"
    )
}

fn orogen(words: &[&str]) -> Run {
    orogen_with(words, &[])
}

fn orogen_with(words: &[&str], variables: &[(&str, &str)]) -> Run {
    // A proxy would be asked in the server's place.
    let direct = [("no_proxy", "127.0.0.1"), ("NO_PROXY", "127.0.0.1")];
    finish(program_command(program!()).args(words).envs(direct).envs(variables.iter().copied()))
}

fn query(words: &[&str]) -> Run {
    orogen(&[&["query", "height", "--at", "36.25,-84.25"], words].concat())
}

/// Law: a file on disk that names others on the network makes no request, whatever it is called and however it names them; nor
/// does a list.
#[test]
fn files_on_disk_reach_no_network() {
    let server = Server::new(fs::read(tests::reference_data::data_file("jacksboro.tif")).unwrap());
    let files = Files(tempfile::tempdir().unwrap());
    let url = server.url("dem.tif");
    let wms = format!(
        "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>{}/${{z}}/${{x}}/${{y}}.png</ServerUrl></Service><DataWindow>\
         <UpperLeftX>-180</UpperLeftX><UpperLeftY>90</UpperLeftY><LowerRightX>180</LowerRightX><LowerRightY>-90</LowerRightY>\
         <TileLevel>4</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY></DataWindow>\
         <Projection>EPSG:4326</Projection><BandsCount>1</BandsCount></GDAL_WMS>",
        server.url("tile")
    );
    let sources = [
        format!("/vsicurl/{url}"),
        format!("/vsicurl?url={url}"),
        format!("/vsicurl_streaming/{url}"),
        format!("/vsigzip//vsicurl/{url}"),
        format!("/vsizip/{{/vsicurl/{url}}}/dem.tif"),
        format!("/vsicached?file=/vsicurl/{url}"),
        url.clone(),
        format!("WMS:{url}"),
        format!("NETCDF:&quot;{url}&quot;:z"),
        format!("nEtCdF:{url}"),
        wms.replace('<', "&lt;").replace('>', "&gt;"),
    ];
    for source in &sources {
        for name in ["holiday.tif", "dem.vrt"] {
            let file = files.write(name, &virtual_raster(&source.replace("&url", "&amp;url")));
            let file = file.to_str().unwrap();
            query(&[file]);
            query(&["--offline", file]);
            assert_eq!(server.count(), 0, "{source} in {name}: {:?}", server.seen.lock().unwrap());
        }
    }
    let nested = files.write("inner.vrt", &virtual_raster(&sources[0]));
    let outer = files.write("outer.vrt", &virtual_raster(nested.to_str().unwrap()));
    query(&[outer.to_str().unwrap()]);
    let described = files.write("wms.xml", &wms);
    query(&[described.to_str().unwrap()]);
    for line in [&sources[0], &sources[2], &url] {
        let list = files.write("list.txt", &format!("{line}\n"));
        query(&[&format!("@{}", list.display())]);
    }
    let pack = files.0.path().join("a.pack");
    query(&[files.0.path().to_str().unwrap()]);
    orogen(&["bake", outer.to_str().unwrap(), "--max-level", "1", "-o", pack.to_str().unwrap()]);
    assert_eq!(server.count(), 0, "{:?}", server.seen.lock().unwrap());
}

/// Law: what the user names himself, or allows, is reached.
#[test]
fn what_the_user_names_is_reached() {
    let server = Server::new(fs::read(tests::reference_data::data_file("jacksboro.tif")).unwrap());
    let url = server.url("dem.tif");
    let on_disk = query(&[&tests::reference_data::data_file("jacksboro.tif").display().to_string()]);
    let expected: Vec<String> = on_disk.stdout.lines().last().unwrap().split(',').take(3).map(str::to_owned).collect();
    let answers = |run: Run| -> Vec<String> {
        let run = run.expect_code(0);
        run.stdout.lines().last().unwrap().split(',').take(3).map(str::to_owned).collect()
    };
    assert_eq!(answers(query(&[&format!("/vsicurl/{url}")])), expected);
    assert!(server.count() > 0);
    assert_eq!(answers(query(&[&url])), expected);
    assert!(server.count() > 0);
    let files = Files(tempfile::tempdir().unwrap());
    let list = files.write("list.txt", &format!("/vsicurl/{url}\n"));
    let list = format!("@{}", list.display());
    assert_eq!(answers(query(&["--online", &list])), expected);
    assert!(server.count() > 0);
    // Object storage: as GDAL's variables say.
    let (host, root) = (format!("127.0.0.1:{}", server.port), server.url(""));
    let s3 = [
        ("AWS_S3_ENDPOINT", &*host),
        ("AWS_HTTPS", "NO"),
        ("AWS_VIRTUAL_HOSTING", "FALSE"),
        ("AWS_NO_SIGN_REQUEST", "YES"),
    ];
    let gs = [("CPL_GS_ENDPOINT", &*root), ("GS_NO_SIGN_REQUEST", "YES")];
    let key = format!("BlobEndpoint={root}account;AccountName=account;AccountKey=a2V5");
    let az = [("AZURE_STORAGE_CONNECTION_STRING", &*key)];
    for (address, variables) in
        [("s3://bucket/dem.tif", &s3[..]), ("gs://bucket/dem.tif", &gs), ("az://bucket/dem.tif", &az)]
    {
        let asked = ["query", "height", "--at", "36.25,-84.25", address];
        assert_eq!(answers(orogen_with(&asked, variables)), expected, "{address}");
        assert!(server.count() > 0);
        orogen_with(&[&asked[..], &["--offline"]].concat(), variables).expect_refusal(1, &[address, "--offline"]);
        let list = files.write("list.txt", &format!("{address}\n"));
        let list = format!("@{}", list.display());
        orogen_with(&["query", "height", "--at", "36.25,-84.25", &list], variables)
            .expect_refusal(1, &[address, "--online"]);
        assert_eq!(server.count(), 0, "{address}");
    }
    query(&["foo://bucket/dem.tif"]).expect_refusal(1, &["foo://bucket/dem.tif", "s3://"]);
    query(&["--offline", &format!("/vsicurl/{url}")]).expect_refusal(1, &["/vsicurl/", "--offline"]);
    assert_eq!(server.count(), 0, "{:?}", server.seen.lock().unwrap());
}

/// Law: drivers that were not allowed open nothing, and those that GDAL does not have are refused.
#[test]
fn drivers_by_a_list() {
    let dem = tests::reference_data::data_file("jacksboro.tif");
    let dem = dem.to_str().unwrap();
    let files = Files(tempfile::tempdir().unwrap());
    let over = files.write("over.vrt", &virtual_raster(dem));
    query(&["--gdal-drivers", "GTiff,AAIGrid", dem]).expect_code(0);
    query(&["--gdal-drivers", "GTiff", over.to_str().unwrap()]).expect_refusal(1, &["over.vrt", "--gdal-drivers"]);
    query(&["--gdal-drivers", "AAIGrid", dem]).expect_refusal(1, &["jacksboro.tif", "AAIGrid"]);
    query(&["--gdal-drivers", "Gtif", dem]).expect_refusal(1, &["Gtif", "gdalinfo --formats"]);
}
