// Runs the Khronos validator over a GLB and prints what it found.
import { readFile } from "node:fs/promises";
import validator from "gltf-validator";

const bytes = new Uint8Array(await readFile(process.argv[2]));
const { issues, info } = await validator.validateBytes(bytes);
for (const message of issues.messages) console.error(`${message.code} ${message.pointer}: ${message.message}`);
console.log(`${issues.numErrors} errors, ${issues.numWarnings} warnings, ${info.totalTriangleCount} triangles`);
process.exit(issues.numErrors + issues.numWarnings > 0 ? 1 : 0);
