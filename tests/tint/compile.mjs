// Does Tint, the WGSL compiler of Chrome and Edge, accept every file of a folder, and Dawn each of their compute entry points as a pipeline
// on a device with the limits that every WebGPU has? No GPU is asked for: Dawn's null backend compiles and runs nothing.
// Usage: node compile.mjs FOLDER [larger]; prints what is wrong with which line of which file, and exits with 1 if anything is.
// With `larger`, a workgroup may be larger than that, or have more memory: it was composed for a device that has it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'webgpu';

const [folder, larger] = process.argv.slice(2);
if (folder === undefined || (larger ?? 'larger') !== 'larger') {
    console.error('usage: node compile.mjs FOLDER [larger]');
    process.exit(2);
}

// Kept: with its collection everything made of it would end.
const gpu = create(['backend=null']);
const adapter = await gpu.requestAdapter();
// What WGSL names in `enable`; the limits are those that every WebGPU has.
const wanted = ['subgroups', 'primitive-index'];
const device = await adapter.requestDevice({ requiredFeatures: wanted.filter((name) => adapter.features.has(name)) });

const files = readdirSync(folder).filter((name) => name.endsWith('.wgsl')).sort();
const refused = [];
for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code });
    const error = await device.popErrorScope();
    if (error !== null) {
        refused.push(`${file}${error.message.replace(/^Error while parsing WGSL: /, '').replace(/\n - While calling[^]*/, '')}`);
        continue;
    }
    for (const [, entryPoint] of code.matchAll(/@compute[^]*?\bfn\s+(\w+)/g)) {
        device.pushErrorScope('validation');
        device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint } });
        const error = await device.popErrorScope();
        if (error !== null && !(larger && /workgroup storage|workgroup_size/.test(error.message))) {
            refused.push(`${file} ${entryPoint}: ${error.message.replace(/\n - While [^]*/, '')}`);
        }
    }
}
if (refused.length > 0) console.log(refused.join('\n'));
console.log(`${files.length - new Set(refused.map((line) => line.split(/[ :]/)[0])).size} of ${files.length} accepted`);
process.exit(refused.length === 0 && files.length > 0 ? 0 : 1);
