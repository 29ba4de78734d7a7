// The map: pan and zoom by OpenLayers, pictures drawn by hand so that layers can be blended.

import { defaults as defaultInteractions } from 'ol/interaction/defaults';
import Layer from 'ol/layer/Layer';
import TileLayer from 'ol/layer/Tile';
import OlMap from 'ol/Map';
import Projection from 'ol/proj/Projection';
import ImageTile from 'ol/source/ImageTile';
import Source from 'ol/source/Source';
import TileGrid from 'ol/tilegrid/TileGrid';
import View from 'ol/View';
import type { FrameState } from 'ol/Map';
import type { ContourLines, TileScales } from '../engine/types';

/** [west, south, east, north] in the coordinates of the map. */
export type Extent = [number, number, number, number];

export interface OverlayPicture {
  picture: ImageBitmap;
  opacity: number;
  blend: 'normal' | 'multiply';
}

export interface Centre {
  x: number;
  y: number;
  /** log2 of pixels per unit. */
  zoom: number;
}

export interface MapEvents {
  onHover(at: { x: number; y: number } | null): void;
  onClick(at: { x: number; y: number }): void;
  onMove(centre: Centre): void;
}

export type TileLoader = (west: number, north: number, zoom: number, px: number, signal: AbortSignal) => Promise<ImageBitmap>;

const TILE_PX = 256;

/** The plane of the map: x to the right, y upwards. */
const PLANE = new Projection({ code: 'weald-plane', units: 'm' });

/** Lines in cells, ready to be drawn at any scale. */
interface ContourPaths {
  thin: Path2D;
  thick: Path2D;
}

export class MapView {
  private readonly map: OlMap;
  private readonly pictures: Layer;
  /** Shaded ground for all scales, and the detailed map over it. */
  private tiles: [TileLayer, TileLayer] | null = null;
  private readonly canvas = document.createElement('canvas');
  private extent: Extent = [0, -1, 1, 0];
  /** Size of a cell in the coordinates of the map. */
  private cell = 1;
  private base: ImageBitmap | null = null;
  private overlays: OverlayPicture[] = [];
  private contours: ContourPaths | null = null;
  private marks: { x: number; y: number; strong: boolean }[] = [];
  private northLines = 0;

  constructor(
    target: HTMLElement,
    private readonly events: MapEvents,
  ) {
    this.canvas.className = 'pictures';
    this.pictures = new Layer({ source: new Source({}), render: (frame) => this.draw(frame) });
    this.pictures.setZIndex(1);
    this.map = new OlMap({
      target,
      layers: [this.pictures],
      controls: [],
      interactions: defaultInteractions({ altShiftDragRotate: false, pinchRotate: false }),
      moveTolerance: 3,
      view: this.viewOf(this.extent, 1),
    });
    this.map.on('pointermove', (event) => {
      if (!event.dragging) this.hover(event.coordinate as [number, number]);
    });
    this.map.on('singleclick', (event) => {
      const at = this.inside(event.coordinate as [number, number]);
      if (at) this.events.onClick(at);
    });
    this.map.on('moveend', () => {
      const centre = this.centre();
      if (centre) this.events.onMove(centre);
    });
    target.addEventListener('pointerleave', () => this.events.onHover(null));
  }

  /** The view of an extent, down to a resolution; of a plane without edges, up to another one. */
  private viewOf(extent: Extent, finest: number, coarsest?: number): View {
    const [w, s, e, n] = extent;
    const span = Math.max(e - w, n - s);
    return new View({
      projection: PLANE,
      center: [(w + e) / 2, (s + n) / 2],
      extent: coarsest ? undefined : [w - span * 0.5, s - span * 0.5, e + span * 0.5, n + span * 0.5],
      constrainOnlyCenter: true,
      showFullExtent: true,
      smoothExtentConstraint: true,
      minResolution: finest,
      maxResolution: coarsest ?? span / 120,
      enableRotation: false,
      resolution: span / 800,
    });
  }

  private inside([x, y]: [number, number]): { x: number; y: number } | null {
    const [w, s, e, n] = this.extent;
    return this.tiles || (x >= w && x < e && y > s && y <= n) ? { x, y } : null;
  }

  private hover(coordinate: [number, number]): void {
    this.events.onHover(this.inside(coordinate));
  }

  /** Shows a finished map. `keep` leaves the centre and the zoom as they are. */
  showPicture(extent: Extent, cell: number, picture: ImageBitmap, keep: boolean): void {
    const changed = this.tiles !== null || extent.some((v, i) => v !== this.extent[i]);
    this.removeTiles();
    this.northLines = 0;
    this.extent = extent;
    this.cell = cell;
    this.replacePicture(picture);
    if (changed) this.map.setView(this.viewOf(extent, cell / 48));
    if (changed || !keep) this.fit();
  }

  /** The same map in another picture. */
  replacePicture(picture: ImageBitmap): void {
    this.base?.close();
    this.base = picture;
    this.redraw();
  }

  /** Pixels of the picture along its longer side. */
  pictureSize(): number {
    return this.base ? Math.max(this.base.width, this.base.height) : Infinity;
  }

  /** Pixels of the screen that a pixel of the picture is wide. */
  magnification(): number {
    const [west, , east] = this.extent;
    return this.base ? ((east - west) / this.base.width / this.resolution()) * devicePixelRatio : 0;
  }

  /** Shows a world without edges; true if another map was shown before. */
  showTiles(load: TileLoader, { finest, detailed, coarsest, reach }: TileScales, northLines: number): boolean {
    const first = this.tiles === null;
    this.removeTiles();
    const layer = (from: number, to: number) => {
      const resolutions: number[] = [];
      for (let zoom = from; zoom >= to; zoom--) resolutions.push(2 ** zoom);
      // Cells are metres around whole places, so the pixels of tiles begin half a metre before them.
      const grid = new TileGrid({ origin: [-0.5, 0.5], resolutions, tileSize: TILE_PX });
      const source = new ImageTile({
        tileGrid: grid,
        projection: PLANE,
        wrapX: false,
        transition: 0,
        loader: async (z, x, y, { signal }) => {
          const zoom = from - z;
          const metres = TILE_PX * 2 ** zoom;
          return load(x * metres, -y * metres, zoom, TILE_PX, signal);
        },
      });
      return new TileLayer({ source, cacheSize: 512 });
    };
    this.base?.close();
    this.base = null;
    this.clear();
    const [shaded, map] = [layer(coarsest, detailed + 1), layer(detailed, finest)];
    shaded.setZIndex(-1);
    map.setZIndex(0);
    // Where the shaded ground is as fine as the screen there is nothing to add.
    map.setMaxResolution(2 ** (detailed + 0.5));
    this.tiles = [shaded, map];
    this.extent = [-reach, -reach, reach, reach];
    this.cell = 1;
    this.northLines = northLines;
    if (first) {
      const view = this.viewOf(this.extent, 2 ** finest, 2 ** coarsest);
      view.setCenter([0, 0]);
      view.setResolution(1);
      this.map.setView(view);
    }
    for (const tiles of this.tiles) this.map.addLayer(tiles);
    this.redraw();
    return first;
  }

  private removeTiles(): void {
    for (const tiles of this.tiles ?? []) this.map.removeLayer(tiles);
    this.tiles = null;
  }

  /** Removes overlays, contours and marks. */
  clear(): void {
    for (const o of this.overlays) o.picture.close();
    this.overlays = [];
    this.contours = null;
    this.marks = [];
    this.redraw();
  }

  setOverlays(overlays: OverlayPicture[]): void {
    for (const old of this.overlays) if (!overlays.some((o) => o.picture === old.picture)) old.picture.close();
    this.overlays = overlays;
    this.redraw();
  }

  setContours(lines: ContourLines | null, step: number): void {
    this.contours = null;
    if (lines) {
      const paths = { thin: new Path2D(), thick: new Path2D() };
      let k = 0;
      lines.lengths.forEach((length, i) => {
        const path = Math.round(lines.levels[i]! / step) % 5 === 0 ? paths.thick : paths.thin;
        for (let j = 0; j < length; j++, k++) {
          const [x, y] = [lines.points[2 * k]!, lines.points[2 * k + 1]!];
          if (j === 0) path.moveTo(x, y);
          else path.lineTo(x, y);
        }
      });
      this.contours = paths;
    }
    this.redraw();
  }

  /** Marks places: the first one strongly. */
  mark(places: { x: number; y: number }[]): void {
    this.marks = places.map((p, i) => ({ ...p, strong: i === 0 }));
    this.redraw();
  }

  centre(): Centre | null {
    const view = this.map.getView();
    const centre = view.getCenter();
    const resolution = view.getResolution();
    return centre && resolution ? { x: centre[0]!, y: centre[1]!, zoom: -Math.log2(resolution) } : null;
  }

  setCentre(centre: Centre): void {
    const view = this.map.getView();
    view.setCenter([centre.x, centre.y]);
    view.setResolution(2 ** -centre.zoom);
  }

  fit(): void {
    if (this.tiles) {
      this.setCentre({ x: 0, y: 0, zoom: 0 });
      return;
    }
    this.map.updateSize();
    this.map.getView().fit(this.extent, { padding: [24, 24, 56, 24] });
  }

  zoom(steps: number): void {
    this.map.getView().animate({ zoom: (this.map.getView().getZoom() ?? 0) + steps, duration: 160 });
  }

  pan(dx: number, dy: number): void {
    const view = this.map.getView();
    const [x, y] = view.getCenter() as [number, number];
    const r = view.getResolution()!;
    view.animate({ center: [x + dx * r, y - dy * r], duration: 120 });
  }

  /** Units of the map a pixel of the screen is wide. */
  resolution(): number {
    return this.map.getView().getResolution() ?? 1;
  }

  /** Where a place is on the screen, in pixels of the map's element. */
  pixel(x: number, y: number): [number, number] | null {
    return (this.map.getPixelFromCoordinate([x, y]) as [number, number] | null) ?? null;
  }

  resize(): void {
    this.map.updateSize();
  }

  /** Resolves when everything that can be seen is there. */
  rendered(): Promise<void> {
    return new Promise((resolve) => {
      this.map.once('rendercomplete', () => resolve());
      this.map.render();
    });
  }

  dispose(): void {
    this.map.setTarget(undefined);
    this.map.dispose();
  }

  private redraw(): void {
    this.pictures?.changed();
    this.map?.render();
  }

  private draw(frame: FrameState): HTMLElement {
    const { canvas } = this;
    const ratio = frame.pixelRatio;
    const [width, height] = frame.size as [number, number];
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const ctx = canvas.getContext('2d')!;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, w, h);
    const { center, resolution } = frame.viewState;
    const scale = ratio / resolution;
    const px = (x: number) => (x - center[0]!) * scale + w / 2;
    const py = (y: number) => (center[1]! - y) * scale + h / 2;
    if (this.base) this.place(ctx, this.base, px, py, true);
    for (const o of this.overlays) {
      ctx.globalAlpha = o.opacity;
      ctx.globalCompositeOperation = o.blend === 'multiply' ? 'multiply' : 'source-over';
      this.place(ctx, o.picture, px, py, false);
    }
    ctx.globalAlpha = 1;
    ctx.globalCompositeOperation = 'source-over';
    this.drawContours(ctx, px, py, scale * this.cell, ratio);
    this.drawNorthLines(ctx, px, w, h, ratio, resolution, center[0]!);
    this.drawMarks(ctx, px, py, scale * this.cell, ratio);
    return canvas;
  }

  /** Draws the visible part of a picture that covers the map. */
  private place(ctx: CanvasRenderingContext2D, picture: ImageBitmap, px: (x: number) => number, py: (y: number) => number, smooth: boolean): void {
    const [west, south, east, north] = this.extent;
    const [left, top, right, bottom] = [px(west), py(north), px(east), py(south)];
    const perX = (right - left) / picture.width;
    const perY = (bottom - top) / picture.height;
    const x0 = Math.max(0, Math.floor(-left / perX));
    const y0 = Math.max(0, Math.floor(-top / perY));
    const x1 = Math.min(picture.width, Math.ceil((ctx.canvas.width - left) / perX));
    const y1 = Math.min(picture.height, Math.ceil((ctx.canvas.height - top) / perY));
    if (x1 <= x0 || y1 <= y0) return;
    ctx.imageSmoothingEnabled = smooth ? perX < 8 : perX < 1;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(picture, x0, y0, x1 - x0, y1 - y0, left + x0 * perX, top + y0 * perY, (x1 - x0) * perX, (y1 - y0) * perY);
  }

  private drawContours(ctx: CanvasRenderingContext2D, px: (x: number) => number, py: (y: number) => number, cellPx: number, ratio: number): void {
    if (!this.contours) return;
    ctx.setTransform(cellPx, 0, 0, cellPx, px(this.extent[0]), py(this.extent[3]));
    ctx.strokeStyle = 'rgba(122, 74, 28, 0.75)';
    ctx.lineJoin = 'round';
    ctx.lineWidth = (0.8 * ratio) / cellPx;
    ctx.stroke(this.contours.thin);
    ctx.lineWidth = (1.6 * ratio) / cellPx;
    ctx.stroke(this.contours.thick);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
  }

  private drawNorthLines(ctx: CanvasRenderingContext2D, px: (x: number) => number, w: number, h: number, ratio: number, resolution: number, centre: number): void {
    const distance = this.northLines;
    if (distance === 0 || distance / resolution < 40) return;
    const half = (w / 2 / ratio) * resolution;
    ctx.strokeStyle = 'rgba(54, 128, 178, 0.55)';
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let x = Math.ceil((centre - half) / distance) * distance; x <= centre + half; x += distance) {
      ctx.moveTo(px(x), 0);
      ctx.lineTo(px(x), h);
    }
    ctx.stroke();
  }

  private drawMarks(ctx: CanvasRenderingContext2D, px: (x: number) => number, py: (y: number) => number, cellPx: number, ratio: number): void {
    for (const mark of this.marks) {
      const size = Math.max(cellPx, (mark.strong ? 14 : 7) * ratio);
      const [x, y] = [px(mark.x), py(mark.y)];
      for (const [colour, width] of [['rgba(255,255,255,0.9)', 4.5], [mark.strong ? '#b3261e' : '#7a4fa3', 2]] as const) {
        ctx.strokeStyle = colour;
        ctx.lineWidth = width * ratio;
        ctx.strokeRect(x - size / 2, y - size / 2, size, size);
      }
    }
  }
}
