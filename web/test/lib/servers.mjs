// The server of the program, and a plain one for the case that the page lies on a site of files.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, relative } from 'node:path';

/** Starts `weald explore` on a free port. */
export function startWeald(binary, args = []) {
  const child = spawn(binary, ['explore', '--no-open', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((done, fail) => {
    let [text, problem] = ['', ''];
    child.stderr.on('data', (data) => (problem += data));
    child.stdout.on('data', (data) => {
      text += data;
      if (text.includes('\n')) done({ url: text.split('\n')[0].trim(), stop: () => child.kill('SIGINT') });
    });
    child.on('error', fail);
    child.on('exit', (code) => fail(new Error(`weald explore ended with ${code}: ${problem}`)));
  });
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

function filesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
  return new Map(files.map((f) => join(f.parentPath ?? f.path, f.name)).map((path) => [relative(folder, path), readFileSync(path)]));
}

/** Serves a folder under a path such as `/weald/`, without the headers that let pages share memory, unless `isolated`. `edit` may change texts. */
export function startFiles(folder, { prefix = '/', isolated = false, edit = null } = {}) {
  const files = filesOf(folder);
  for (const [name, bytes] of files) if (edit && /\.(js|css|html)$/.test(name)) files.set(name, Buffer.from(edit(bytes.toString('utf8'))));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const name = path.startsWith(prefix) ? path.slice(prefix.length) || 'index.html' : null;
    const bytes = name === null ? undefined : files.get(name);
    response.writeHead(bytes ? 200 : 404, { 'content-type': TYPES[extname(name ?? '')] ?? 'text/plain', 'cache-control': 'no-cache', ...(isolated ? ISOLATED : {}) });
    response.end(bytes ?? 'There is no such file.\n');
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const stop = () => {
        server.close();
        server.closeAllConnections();
      };
      done({ url: `http://127.0.0.1:${server.address().port}${prefix}`, stop });
    });
  });
}
