// Does Tint, the WGSL compiler of Chrome and Edge, accept every file of a folder? No GPU is asked for: Dawn's null backend
// compiles and runs nothing. Usage: node compile.mjs FOLDER; prints what is wrong with which line of which file, and exits
// with 1 if anything is.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'webgpu';

const folder = process.argv[2];
if (folder === undefined) {
    console.error('usage: node compile.mjs FOLDER');
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
    device.pushErrorScope('validation');
    device.createShaderModule({ code: readFileSync(join(folder, file), 'utf8') });
    const error = await device.popErrorScope();
    if (error !== null) {
        refused.push(`${file}${error.message.replace(/^Error while parsing WGSL: /, '').replace(/\n - While calling[^]*/, '')}`);
    }
}
if (refused.length > 0) console.log(refused.join('\n'));
console.log(`${files.length - refused.length} of ${files.length} accepted`);
process.exit(refused.length === 0 && files.length > 0 ? 0 : 1);
