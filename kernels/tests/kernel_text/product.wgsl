// product, as `KernelPlan::wgsl` gives it.

const WORKGROUP_X: u32 = 16u;
const WORKGROUP_Y: u32 = 16u;
const WORKGROUP_Z: u32 = 1u;
const WORKGROUP: u32 = 256u;

struct KernelSpace {
    first: vec3u,
    columns: u32,
    end: vec3u,
    rows: u32,
}

struct KernelArguments {
    space: KernelSpace,
    n: u32,
    a_len: u32,
    b_len: u32,
    c_len: u32,
}

@group(0) @binding(0) var<uniform> arguments: KernelArguments;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

var<workgroup> a_tile: array<array<f32, 16>, WORKGROUP_Y>;
var<workgroup> b_tile: array<array<f32, WORKGROUP_X>, 16>;
//!once kernel_text::product
// C = A B
fn product(row: u32, column: u32, inside: bool, local: vec3u, rank: u32) {
    var sum = 0.0f;
    for (var k_tile = 0u; k_tile < arguments.n; k_tile += 16u) {
        workgroupBarrier();
        for (var load = 0u; load < (WORKGROUP_Y * 16u + WORKGROUP - 1u) / WORKGROUP; load++) {
            let slot = load * WORKGROUP + rank;
            if WORKGROUP_Y * 16u % WORKGROUP == 0u || slot < WORKGROUP_Y * 16u {
                let k = k_tile + slot % 16u;
                let row_1 = row - local.y + slot / 16u;
                a_tile[slot / 16u][slot % 16u] = a[row_1 * arguments.n + k];
            }
        }
        for (var load_1 = 0u; load_1 < (WORKGROUP_X * 16u + WORKGROUP - 1u) / WORKGROUP; load_1++) {
            let slot_1 = load_1 * WORKGROUP + rank;
            if WORKGROUP_X * 16u % WORKGROUP == 0u || slot_1 < WORKGROUP_X * 16u {
                let k_1 = k_tile + slot_1 / WORKGROUP_X;
                let column_1 = column - local.x + slot_1 % WORKGROUP_X;
                b_tile[slot_1 / WORKGROUP_X][slot_1 % WORKGROUP_X] = b[k_1 * arguments.n + column_1];
            }
        }
        workgroupBarrier();
        if arguments.n - k_tile >= 16u {
            //!unroll
{ const k_turn = 0u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 1u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 2u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 3u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 4u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 5u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 6u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 7u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 8u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 9u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 10u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 11u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 12u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 13u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 14u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } { const k_turn = 15u; sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x]; } 


        } else {
            for (var k_turn = 0u; k_turn < arguments.n - k_tile; k_turn += 1u) {
                sum += a_tile[local.y][k_turn] * b_tile[k_turn][local.x];
            }
        }
        if arguments.n - k_tile <= 16u {
            break;
        }
    }
    if inside {
        c[row * arguments.n + column] = sum;
    }
}
//!end

//!import device/kernel/variables
//!import device/kernel/function

@compute @workgroup_size(WORKGROUP_X, WORKGROUP_Y, WORKGROUP_Z)
fn product_items(
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) rank: u32,
) {
    let number = workgroup.y * workgroups.x + workgroup.x;
    let x = arguments.space.first.x + number % arguments.space.columns * WORKGROUP_X + local.x;
    let y = arguments.space.first.y + number / arguments.space.columns * WORKGROUP_Y + local.y;
    product(y, x, x < arguments.space.end.x && y < arguments.space.end.y, local, rank);
}
