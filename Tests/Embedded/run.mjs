// The core as WebAssembly in node: the log on standard output, what came of it on standard error.
//
//     node run.mjs DEVICE.wasm SEED EVENTS       the random script
//     node run.mjs DEVICE.wasm PANEL SCRIPT      a recorded run of a compiled panel
//
// Exits 1 where the module asks for anything but a place for its log, and where a run is damaged.
import { readFileSync, writeSync } from "node:fs";

const [path, ...given] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
const imports = WebAssembly.Module.imports(module).map((it) => `${it.module}.${it.name}`);
if (imports.join() !== "env.put") {
  console.error(`imports are [${imports}], not env.put alone: does live code allocate?`);
  process.exit(1);
}
let log = Buffer.alloc(1 << 20);
let length = 0;
function put(byte) {
  if (length === log.length) log = Buffer.concat([log, Buffer.alloc(log.length)]);
  log[length++] = byte;
}
const core = new WebAssembly.Instance(module, { env: { put } }).exports;

function play(panel, script) {
  new Uint8Array(core.memory.buffer, core.detent_inbox()).set([...panel, ...script]);
  const engine = core.detent_engine_bytes(panel.length);
  return { outcome: core.detent_play(panel.length, script.length), engine };
}

const isRandom = given.every((each) => /^\d+$/.test(each));
const said = isRandom
  ? { outcome: 0, effects: core.detent_script(...given.map(Number)) >>> 0 }
  : play(...given.map((file) => readFileSync(file)));
for (let from = 0; from < length; ) from += writeSync(1, log, from, length - from);
console.error(Object.entries(said).flat().join(" "));
process.exitCode = said.outcome === 0 ? 0 : 1;
