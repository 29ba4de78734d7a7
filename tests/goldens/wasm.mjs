// Prints the golden hashes as the engine of the page computes them: node wasm.mjs FOLDER HASHES.txt
// FOLDER holds the module and its JavaScript; the worlds, recipes, seeds and sizes are those of the file.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { default: init, Session } = await import(pathToFileURL(resolve(folder, "weald_web.js")));
await init({ module_or_path: readFileSync(resolve(folder, "weald_web_bg.wasm")) });
const cases = new Set(readFileSync(file, "utf8").trimEnd().split("\n").map((line) => line.split(" ").slice(0, 4).join(" ")));
for (const name of cases) {
  const [world, recipe, seed, size] = name.split(" ");
  const session = new Session();
  const request = { world, recipe, seed, size: size.split("x").map(Number), with: ["promised"] };
  session.make(JSON.stringify(request), undefined);
  for (const [what, hash] of JSON.parse(session.hashes(undefined))) process.stdout.write(`${name} ${what} ${hash}\n`);
  session.free();
}
