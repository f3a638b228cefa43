//! Does Tint, the WGSL compiler of Chrome and Edge, take what naga takes? naga has judged every composition when it was composed.
//!
//! `./x test` installs Tint and names its folder in `OROGEN_TINT`; without, this test says that it judged nothing.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::Command,
};

use glam::Vec2;
use gpu::{Gpu, GpuOptions};
use kernels::{Kernels, Order, Sum, Variant, device, kernel};
use shaders::dump_into;
use tests::program::{self, finish};

/// A gray of what came back from a point, which says something of every kind of literal and of floats' edges.
#[device]
fn brightness(at: Vec2, lightest: f32) -> u32 {
    let mut nearest = f32::MAX;
    for step in 1u32..9 {
        nearest = nearest.min((at * step as f32).length_squared());
    }
    let shade = (nearest.min(lightest) * 255.0) as u32;
    (shade << 8u32 | shade) & 0xffffu32 ^ 1u32
}

/// A picture, its total, its extremes, and a list of the points that are dark.
#[kernel(workgroup(64))]
fn picture(n: u32, scale: f32, pixels: &mut [u32], total: &mut u32, darkest: &mut f32) {
    *total = 0;
    *darkest = f32::MAX;
    for i in 0..n {
        let found = brightness(Vec2::new(i as f32 * scale, 1.0), 1.0);
        pixels[i as usize] = found;
        *total += found;
        *darkest = darkest.min(found as f32);
    }
}

/// C = A B, with tiles that workgroups share.
#[kernel(workgroup(8, 8))]
fn product(n: u32, a: &[f32], b: &[f32], c: &mut [f32]) {
    for row in 0..n {
        for column in 0..n {
            let mut sum = 0.0f32;
            #[tile(8)]
            for k in 0..n {
                sum += a[(row * n + k) as usize] * b[(k * n + column) as usize];
            }
            c[(row * n + column) as usize] = sum;
        }
    }
}

/// Composes what the library binds at run time, in a form, and what its attributes print.
fn compose_at_run_time(kernels: &Kernels) {
    kernels.reduce::<Sum<f32>>().unwrap();
    kernels.reduce::<Sum<u32>>().unwrap();
    kernels.scan::<Sum<f32>>().unwrap();
    kernels.scan::<Sum<u32>>().unwrap();
    kernels.pyramid::<Sum<u32>>().unwrap();
    kernels.sort_keys::<u32>(Order::Ascending).unwrap();
    kernels.sort_keys::<f32>(Order::Descending).unwrap();
    kernels.sort_pairs::<u64, u32>(Order::Ascending).unwrap();
    kernels.run_lengths::<u32>().unwrap();
    kernels.lbvh().unwrap();
    kernels.trace_rays().unwrap();
    kernels.nearest_points().unwrap();
    kernels.plan::<picture>().unwrap();
    kernels.plan::<product>().unwrap();
}

/// Kernels of a device with the limits that every WebGPU has, and no features.
fn least_kernels() -> Kernels {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
    let (device, _) = pollster::block_on(gpu.adapter.request_device(&wgpu::DeviceDescriptor::default())).unwrap();
    assert_eq!(device.limits().max_compute_workgroup_storage_size, 16 << 10);
    Kernels::new(&device)
}

/// Asks Dawn about the texts in a folder: all are accepted.
fn judge(tint: &Path, folder: &Path, options: &[&str]) {
    let texts = fs::read_dir(folder).unwrap().count();
    let found: program::Run = finish(Command::new("node").arg(tint.join("compile.mjs")).arg(folder).args(options));
    assert_eq!(found.code, Some(0), "{}\n{}", found.stdout, found.stderr);
    assert_eq!(found.stdout, format!("{texts} of {texts} accepted\n"));
}

/// Takes out what WebGPU has nothing for, as `shaders.rs` says: ray queries; and of the one-sweep sort the barrier of
/// a subgroup, for which that of the workgroup stands in, so that the rest is judged. Gives the number of texts.
fn prepare(folder: &Path) -> usize {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".native.wgsl") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        if name.starts_with("kernels-sort-one_sweep-sweep-") {
            let text = text.replace("subgroupBarrier()", "workgroupBarrier()").replace("//!standard ", "");
            fs::write(folder.join(name.replace(".native", "")), format!("enable subgroups; {text}")).unwrap();
        } else {
            assert!(name.starts_with("kernels-lbvh-query_rays-"), "{name} is known to be native nowhere");
        }
    }
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn tint_takes_every_composition() {
    let Some(tint) = env::var_os("OROGEN_TINT").map(PathBuf::from) else {
        // Not `eprintln`, which is captured.
        writeln!(io::stderr(), "skipped: no WGSL was judged by Tint, for OROGEN_TINT names no folder; `./x test` does")
            .unwrap();
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    dump_into(Some(folder.path().into()));
    for (name, composed) in viewer::composer().every_composition() {
        composed.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for disable_subgroups in [false, true] {
        let gpu =
            Gpu::new(&GpuOptions::default().with_software(true).with_disable_subgroups(disable_subgroups)).unwrap();
        let kernels = Kernels::new(&gpu.device);
        let forms: &[_] = match gpu.caps.subgroups {
            Some(_) => &[Variant::Subgroup, Variant::Portable, Variant::LookBack],
            None => &[Variant::Auto],
        };
        for form in forms {
            let kernels = kernels.clone().with_variant(*form);
            compose_at_run_time(&kernels);
            let found =
                kernels::testing::evaluate::<brightness>(&kernels, &gpu, &[(Vec2::new(0.5, 0.25), 1.0)]).unwrap();
            assert_eq!(found, [brightness(Vec2::new(0.5, 0.25), 1.0)]);
        }
    }
    // Their shapes for the least workgroup memory that there is.
    let least = tempfile::tempdir().unwrap();
    dump_into(Some(least.path().into()));
    compose_at_run_time(&least_kernels());
    dump_into(None);
    // What the program composes, on either home of the mesh.
    for (mesh, shading) in [("cpu", "forward"), ("gpu", "deferred")] {
        let picture = folder.path().join("picture.png");
        let mut program = Command::new(tests::program!());
        program.args(["render", "--at", "22,84,500000", "--size", "64x48", "--mesh", mesh, "--shading", shading, "-o"]);
        finish(program.arg(&picture).env("OROGEN_DUMP_WGSL", folder.path())).expect_code(0);
        fs::remove_file(picture).unwrap();
    }
    let raster = folder.path().join("horizons.tif");
    let mut program = Command::new(tests::program!());
    program.args(["query", "horizons", "--engine", "gpu", "--at", "22,84", "--radius", "9000", "--cell", "3000", "-o"]);
    finish(program.arg(&raster).env("OROGEN_DUMP_WGSL", folder.path())).expect_code(0);
    fs::remove_file(raster).unwrap();

    let texts = prepare(folder.path());
    assert!(texts > 100, "{texts} texts");
    judge(&tint, folder.path(), &["larger"]);
    assert!(prepare(least.path()) > 20);
    judge(&tint, least.path(), &[]);
}
