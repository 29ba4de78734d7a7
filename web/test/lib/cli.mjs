// The command line as the tests use it: worlds made natively, their layers, and the golden hashes.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..');

/** The program under test, and a folder for what it writes. */
export class Cli {
  constructor(binary) {
    this.binary = resolve(binary);
    this.folder = mkdtempSync(join(tmpdir(), 'weald-web-'));
    mkdirSync(join(this.folder, 'bin'));
    symlinkSync(this.binary, join(this.folder, 'bin', 'weald'));
    this.made = new Map();
    this.next = 0;
  }

  run(args, options = {}) {
    return started(this.binary, args, { cwd: this.folder, ...options });
  }

  /** Runs a line as a shell does, with the program under test as `weald`. */
  shell(line, cwd) {
    const env = { ...process.env, PATH: `${join(this.folder, 'bin')}:${process.env.PATH}` };
    return started('/bin/sh', ['-c', line], { cwd, env });
  }

  /** A new empty folder. */
  place() {
    const path = join(this.folder, `place-${++this.next}`);
    mkdirSync(path);
    return path;
  }

  /** The folder of a world that is made by `weald generate` with these arguments. Made once. */
  async folderOf(...args) {
    const key = args.join(' ');
    if (!this.made.has(key)) {
      const path = join(this.folder, `made-${++this.next}`);
      this.made.set(key, this.run(['generate', ...args, '-o', path]).then(() => path));
    }
    return this.made.get(key);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function started(file, args, options) {
  return new Promise((done, fail) => {
    execFile(file, args, { maxBuffer: 1 << 28, timeout: 120_000, ...options }, (error, stdout, stderr) => {
      if (error) fail(new Error(`${file} ${args.join(' ')}: ${stderr || error.message}`));
      else done(stdout);
    });
  });
}

const TYPES = {
  '<f4': Float32Array,
  '<f8': Float64Array,
  '|u1': Uint8Array,
  '|b1': Uint8Array,
  '|i1': Int8Array,
  '<u2': Uint16Array,
  '<i2': Int16Array,
  '<u4': Uint32Array,
  '<i4': Int32Array,
};

/** A NumPy file: its cells row by row, its height and width. */
export function readNpy(path) {
  const bytes = readFileSync(path);
  const length = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + length).toString('latin1');
  const [, type] = /'descr': '([^']+)'/.exec(header);
  const [rows, columns] = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').map(Number);
  const body = bytes.subarray(10 + length);
  const cells = new TYPES[type](body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength));
  return { cells, rows, columns, at: (column, row) => cells[row * columns + column] };
}

/** The manifest of a folder, with its layers by name. */
export function manifestOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return { ...manifest, layer: new Map(manifest.layers.map((l) => [l.name, l])) };
}

/** The colours of a layer of classes by value, as `rrggbb`. */
export function classColours(folder, layer) {
  const classes = manifestOf(folder).layer.get(layer).classes;
  return new Map(classes.map((c) => [c.value, c.colour]));
}

export function layerOf(folder, layer) {
  return readNpy(join(folder, 'layers', `${layer}.npy`));
}

/** The golden hashes of a case: name to hash. */
export function goldens(recipe, seed, size) {
  const lines = readFileSync(join(ROOT, 'tests/goldens/hashes.txt'), 'utf8').trim().split('\n');
  const found = lines.map((line) => line.split(' ')).filter(([, r, s, z]) => r === recipe && s === String(seed) && z === size);
  if (found.length === 0) throw new Error(`there is no golden case ${recipe} ${seed} ${size}`);
  return new Map(found.map(([, , , , name, hash]) => [name, hash]));
}
