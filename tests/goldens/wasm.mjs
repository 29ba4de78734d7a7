// Prints the golden hashes as the WASM build computes them: node wasm.mjs FILE.wasm
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, lines_start, lines_length } = instance.exports;
const start = lines_start();
process.stdout.write(Buffer.from(memory.buffer, start, lines_length()));
