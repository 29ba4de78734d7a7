// What the 3-D views need to know of a world. The views know nothing of workers or WASM.

/** A colour: red, green, blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Ground of the endless world on a square lattice, row-major from the north-west. Heights are metres. */
export interface Chunk {
  /** Place of the first sample: metres east and north. */
  west: number;
  north: number;
  /** Distance of samples in metres. */
  step: number;
  /** Samples along each side; neighbouring chunks share their border samples. */
  side: number;
  /** Height of the ground, on the bed of a lake too. */
  ground: Float32Array;
  /** Height of the water where there is any, else NaN. */
  water: Float32Array;
  /** Colour of each sample, RGB bytes. */
  colours: Uint8Array;
  /** What stands in it; empty unless it was asked for. */
  things: Things;
}

/** What stands on the ground of a chunk. Places are metres east and north, heights metres. */
export interface Things {
  /**
   * What has to be added to the places in `trees`, `buildings` and `lines` (features are absolute); nothing if left out.
   * Far from the origin of the world 32-bit floats cannot hold places: at 10⁸ m they are 8 m apart.
   */
  origin?: readonly [number, number];
  /** x, y, kind (0 to 7; kinds above 3 are tall trees, thickets only have 0 to 3) of every tree. */
  trees: Float32Array;
  /** x, y, height of every building, 12 m square, centred there. */
  buildings: Float32Array;
  /** Point features. Kinds: boulder, root stock, knoll, pond, cone, mine, cave mouth, man-made objects, … */
  features: { x: number; y: number; kind: string; version: number; direction: number | null; code: string }[];
  /** Streams, roads and bridges: x, y pairs. */
  lines: { set: 'streams' | 'roads' | 'bridges' | 'drawn_roads'; points: Float32Array }[];
}

/** Where chunks of the endless world come from. Chunks are made by a pool of workers and may come in any order. */
export interface ChunkSource {
  chunk(west: number, north: number, step: number, side: number, things: boolean, signal: AbortSignal): Promise<Chunk>;
  /** The orienteering map around a place, drawn `px` pixels wide for `metres` metres. */
  map(x: number, y: number, metres: number, px: number): Promise<ImageBitmap>;
  /** Height of the ground or water at a place, at once. */
  heightAt(x: number, y: number): number;
}

/** Where a walker is. */
export interface Walker {
  /** Metres east and north. */
  x: number;
  y: number;
  /** Eye above the ground in metres; more than 2 when flying. */
  above: number;
  /** Compass bearing of the view, degrees clockwise from north. */
  bearing: number;
  /** Degrees above the horizon. */
  pitch: number;
}

/** A finished map as a surface to look at from all sides. */
export interface Surface {
  width: number;
  height: number;
  /** Metres (or the world's unit) a cell is wide. */
  cell: number;
  /** Heights in the same unit, row-major from the north-west. */
  ground: Float32Array;
  /** Height of the water surface where there is water, else NaN. */
  water: Float32Array;
  /** The map to drape over it. */
  picture: ImageBitmap;
  /** Factor that makes the relief plain to see at the size of the map. */
  exaggeration: number;
}

/** A planet. */
export interface Globe {
  /** Equirectangular picture, north up, 180° W at the left edge. */
  picture: ImageBitmap;
  /** Heights above the sea on an equirectangular lattice, rows from the north; 0 where there is sea. */
  columns: number;
  rows: number;
  heights: Float32Array;
}

/** Stars of a block of space, in light years. */
export interface Space {
  /** x, y, z of each star. */
  places: Float32Array;
  /** RGB bytes of each star. */
  colours: Uint8Array;
  /** Magnitude of each star: smaller is brighter. */
  magnitudes: Float32Array;
  /** Planets of each star. */
  planets: Uint8Array;
  size: readonly [number, number, number];
  /** Least x, y and z of the block; taken from the places of the stars if left out. */
  origin?: readonly [number, number, number];
  /** Clouds of gas: the nearest, middle and furthest third of the depth, as pictures with alpha. */
  gas: ImageBitmap[];
}

/** A 3-D view in a page. */
export interface SceneView<State> {
  state(): State;
  set(state: State): void;
  /** Called when the camera has moved. */
  onMove: ((state: State) => void) | null;
  dispose(): void;
}

/** A camera that circles a point. */
export interface Orbit {
  /** Degrees clockwise from north, where the camera looks. */
  bearing: number;
  /** Degrees above the horizon. */
  pitch: number;
  /** Distance from the target, as a share of the size of the map or the radius of the planet. */
  distance: number;
  /** Target: east, north, as shares of the map from its centre; longitude and latitude for a planet. */
  x: number;
  y: number;
}
