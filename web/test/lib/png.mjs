// Reads PNG files: 8 bits a channel, without interlacing.

import { inflateSync } from 'node:zlib';

const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** A picture with `at(x, y)` as `rrggbb`. */
export function readPng(bytes) {
  let [width, height, channels] = [0, 0, 0];
  const data = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), CHANNELS[body[9]]];
      if (body[8] !== 8 || !channels || body[12] !== 0) throw new Error('this kind of PNG is not read here');
    } else if (kind === 'IDAT') data.push(body);
    at += 12 + length;
  }
  return picture(width, height, channels, unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels));
}

function unfilter(raw, row, height, step) {
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; i++) {
      const at = y * row + i;
      const left = i >= step ? out[at - step] : 0;
      const up = y > 0 ? out[at - row] : 0;
      const corner = i >= step && y > 0 ? out[at - row - step] : 0;
      out[at] = raw[y * (row + 1) + 1 + i] + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
  }
  return out;
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** A picture of pixels with some channels: grey or red, green and blue first. */
export function picture(width, height, channels, data) {
  const rgb = (x, y) => {
    const i = (y * width + x) * channels;
    return channels < 3 ? [data[i], data[i], data[i]] : [data[i], data[i + 1], data[i + 2]];
  };
  return { width, height, rgb, at: (x, y) => hex(rgb(x, y)) };
}

export function hex([r, g, b]) {
  return ((r << 16) | (g << 8) | b).toString(16).padStart(6, '0');
}

/** How many different colours a picture has, and the share of pixels for which `test(r, g, b)` is true. */
export function coloursOf(image, test = () => false) {
  const seen = new Set();
  let hits = 0;
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const [r, g, b] = image.rgb(x, y);
      seen.add((r << 16) | (g << 8) | b);
      if (test(r, g, b)) hits++;
    }
  }
  return { count: seen.size, share: hits / (image.width * image.height) };
}

/** The mean difference of two pictures of one size, in levels of 0 to 255. */
export function difference(one, other) {
  if (one.width !== other.width || one.height !== other.height) return 255;
  let sum = 0;
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      const [a, b] = [one.rgb(x, y), other.rgb(x, y)];
      sum += Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
    }
  }
  return sum / (3 * one.width * one.height);
}
