// node run.mjs DEVICE.wasm SEED EVENTS: the log on standard output.
import { readFileSync, writeSync } from "node:fs";

const [path, seed, events] = process.argv.slice(2);
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
const instance = new WebAssembly.Instance(module, { env: { put } });
const effects = instance.exports.detent_script(Number(seed), Number(events)) >>> 0;
for (let from = 0; from < length; ) from += writeSync(1, log, from, length - from);
console.error(`effects ${effects}`);
