// The calls that a worker answers.

import type {
  CheckReport,
  ChunkData,
  ContourLines,
  Explanation,
  LayerValue,
  Legend,
  Look,
  Made,
  Parameters,
  Request,
  Rgb,
  Sample,
  Scale,
  WorldInfo,
} from './types';

export interface Calls {
  version(): string;
  worlds(): WorldInfo[];
  parameters(world: string, recipe: string): Parameters;
  putFile(name: string, bytes: Uint8Array): void;
  /** Makes a world; the calls below ask about the last one. */
  make(request: Request): Made;
  layer(name: string): Float32Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;
  layerPicture(name: string): ImageBitmap;
  layerScale(name: string): Scale | null;
  picture(look: Look): ImageBitmap;
  /** What the places of a view are. */
  places(look: Look): 'cells' | 'degrees' | 'none';
  legend(look: Look): Legend;
  contours(layer: string, step: number): ContourLines;
  features(set: string): GeoFeatures;
  file(name: string): Uint8Array<ArrayBuffer>;
  hashes(): [string, string][];
  values(column: number, row: number): LayerValue[];
  explain(place: number[]): Explanation;
  sample(place: number[]): Sample;
  globe(columns: number, rows: number): Float32Array;
  spaceColours(): { stars: Rgb[]; gas: Rgb[] };
  check(): CheckReport;
  /** A small picture of another world, which is not kept. */
  thumbnail(request: Request, look: Look): ImageBitmap;
  /** Pieces of worlds without edges. The request is its JSON. */
  tile(request: string, west: number, north: number, zoom: number, px: number): ImageBitmap;
  chunk(request: string, west: number, north: number, step: number, side: number, things: boolean): ChunkData;
  tileSample(request: string, x: number, y: number): Sample;
  tileExplain(request: string, x: number, y: number): Explanation;
}

export interface GeoFeatures {
  features: {
    id: number;
    properties: Record<string, unknown>;
    geometry: { type: string; coordinates: unknown };
  }[];
}
