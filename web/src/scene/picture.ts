// Pictures as textures, and the paper behind a view.

import { CanvasTexture, LinearFilter, LinearMipmapLinearFilter, SRGBColorSpace, Texture } from 'three';
import type { WebGLRenderer } from 'three';
import type { Bin } from './bin';

const MAX_SIDE = 4096;

/** A picture as a texture whose first row is at v = 0. The bitmap stays the caller's. */
export function pictureTexture(bin: Bin, renderer: WebGLRenderer, picture: ImageBitmap): Texture {
  const most = Math.min(MAX_SIDE, renderer.capabilities.maxTextureSize);
  const share = Math.min(1, most / Math.max(picture.width, picture.height));
  const texture = bin.keep(share < 1 ? new CanvasTexture(shrunk(picture, share)) : new Texture(picture));
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = Math.min(8, renderer.capabilities.getMaxAnisotropy());
  texture.needsUpdate = true;
  return texture;
}

function shrunk(picture: ImageBitmap, share: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * share));
  canvas.height = Math.max(1, Math.round(picture.height * share));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** A soft gradient of the page's paper behind a canvas that lets it through. */
export function paperBackground(canvas: HTMLCanvasElement): void {
  canvas.style.background = 'linear-gradient(var(--paper), color-mix(in oklab, var(--paper) 84%, var(--ink)))';
}
