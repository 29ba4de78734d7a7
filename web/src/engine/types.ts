// What the engine tells the page, as JSON.

export type Rgb = readonly [number, number, number];

export interface ClassEntry {
  value: number;
  name: string;
  colour: Rgb;
}

export interface LayerInfo {
  name: string;
  dtype: string;
  unit: string;
  about: string;
  kind: 'measure' | 'classes' | 'flags' | 'steps';
  classes: ClassEntry[] | null;
  min?: number;
  max?: number;
}

export interface SettingInfo {
  name: string;
  about: string;
  unit: string;
  default: number;
  min: number;
  max: number;
  whole: boolean;
}

export interface ViewInfo {
  name: string;
  about: string;
  settings: SettingInfo[];
}

export interface WorldInfo {
  name: string;
  about: string;
  seed: string;
  size: [number, number];
  unit: string;
  recipes: { name: string; about: string }[];
  views: ViewInfo[];
  layers: LayerInfo[];
  phases: { name: string; about: string }[];
  maps: { name: string; about: string }[];
  files: { name: string; about: string; needs: string | null }[];
  /** Scales and reach of a world without edges; null where a world has edges. */
  tiles: TileScales | null;
  /** The parameters that hold the place of the window, where the world has one. */
  window: [string, string] | null;
  scene: SceneInfo;
  /** The layers that say most about a cell. */
  keyLayers: string[];
  /** Whether the size in cells is only a resolution. */
  fixedExtent: boolean;
  resamples: boolean;
}

/** Zooms of tiles: a pixel is 2^zoom metres wide. */
export interface TileScales {
  finest: number;
  /** The coarsest zoom of the detailed map; coarser tiles show shaded ground. */
  detailed: number;
  coarsest: number;
  /** Metres from the origin to the edge of the world. */
  reach: number;
}

/** The view of a world in three dimensions. */
export type SceneInfo = { kind: 'relief' } | { kind: 'walk' } | { kind: 'globe'; view: string } | { kind: 'space'; points: string; gas: string[] };

export type ParamValue = number | string | boolean;

export interface ParamSchema {
  type?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  enum?: string[];
  'x-unit'?: string;
  properties?: Record<string, ParamSchema>;
}

export interface Parameter {
  path: string;
  schema: ParamSchema;
  default: ParamValue;
  value: ParamValue;
}

export interface Parameters {
  parameters: Parameter[];
  schema: ParamSchema;
  seed: string;
  size: [number, number];
}

/** What is asked of the engine. Everything but the world has a default. */
export interface Request {
  world: string;
  recipe?: string;
  seed?: string;
  size?: [number, number];
  params?: Record<string, ParamValue>;
  maps?: Record<string, string>;
  resample?: boolean;
}

export interface Look {
  view?: string;
  px?: number;
  settings?: Record<string, number>;
}

/** A world that was made. */
export interface Made {
  world: string;
  seed: string;
  width: number;
  height: number;
  cell: number;
  origin: [number, number];
  unit: string;
  layers: LayerInfo[];
  sets: { name: string; about: string; kind: 'lines' | 'points' | 'polygons'; count: number }[];
  figures: Record<string, unknown>;
  notes: string[];
  /** Phases that were taken over from the map before. */
  reused: string[];
  maps: string[];
}

export interface Scale {
  low: number;
  high: number;
  logarithmic: boolean;
  colours: Rgb[];
}

export interface Legend {
  parts: { heading: string; entries: { label: string; value: string }[] }[];
  samples: ImageBitmap | null;
  /** Height of one sample in pixels. */
  step: number;
}

export interface ContourLines {
  points: Float32Array;
  lengths: Uint32Array;
  levels: Float32Array;
}

export interface Quantity {
  name: string;
  value: number;
  unit: string;
}

export interface Reason {
  subject: string;
  answer: string;
  sentence: string;
  rule: string;
  layers: string[];
  numbers: Quantity[];
  neighbours: { direction: string; x: number | null; y: number | null; contributes: string }[];
}

export interface Explanation {
  world: string;
  cell: { x: number; y: number };
  coordinates: Quantity[];
  values: { layer: string; value: number; unit: string; names: string[] }[];
  reasons: Reason[];
  features: { set: string; shape: string; id: number; near: 'here' | 'beside'; properties: Record<string, unknown> }[];
  notes: string[];
}

/** The value of a layer at a cell, in words and with its unit. */
export interface LayerValue {
  layer: string;
  value: string;
}

export interface CheckReport {
  ok: boolean;
  rules: { rule: string; checked: number; violations: number; examples?: unknown[] }[];
  notes: string[];
}

export type Sample = Record<string, { value: unknown; unit: string }>;

/** Ground of a world without edges, as the engine gives it. */
export interface ChunkData {
  ground: Float32Array;
  water: Float32Array;
  colours: Uint8Array;
  trees: Float32Array;
  buildings: Float32Array;
  rest: {
    features: { x: number; y: number; kind: string; version: number; direction: number | null; code: string }[];
    lines: { set: string; points: number[] }[];
  } | null;
}

/** Progress of what a worker does. */
export interface Progress {
  stage: string;
  done: number;
  total: number;
}

/** An error of the engine, with the exit code that the command line would have. */
export class EngineError extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly problems: [string, string][] = [],
  ) {
    super(message);
  }

  get cancelled(): boolean {
    return this.code === 130;
  }
}

/** A star of a galaxy: the properties of its point. */
export interface GalaxyStar {
  x: number;
  y: number;
  z: number;
  magnitude: number;
  planets: number;
  /** 0 to 15, an index of the engine's colours of stars. */
  colour: number;
}
