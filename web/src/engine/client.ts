// Workers that run the engine, as the page sees them.

import wasmUrl from '../pkg/weald_web_bg.wasm?url';
import type { Calls } from './calls';
import { EngineError, type Progress } from './types';

type Result<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

/** A call that waits or runs. */
interface Entry {
  id: number;
  name: keyof Calls;
  args: unknown[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress?: (progress: Progress) => void;
  /** Whether it may run to its end in vain, so that the world that the worker has made is kept. */
  spare?: boolean;
}

let compiled: Promise<WebAssembly.Module> | null = null;

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new EngineError(`the engine could not be loaded (${response.status})`, 4);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // Some servers do not name the type of WASM files.
    return await WebAssembly.compile(await response.arrayBuffer());
  }
}

/** The engine, compiled once for all workers. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

const cancelled = () => new EngineError('cancelled', 130);

function discard(result: unknown): void {
  if (result instanceof ImageBitmap) result.close();
}

let nextId = 1;

/** What a worker answers. */
interface Answer {
  id: number;
  ready?: boolean;
  failed?: string;
  progress?: Progress;
  result?: unknown;
  error?: { message: string; code: number; problems: [string, string][] };
  /** The engine has stopped for good. */
  broken?: boolean;
}

/** One worker. Calls are answered in order, one at a time; each can be cancelled. */
export class Channel {
  private worker: Worker | null = null;
  private ready: Promise<void> = Promise.resolve();
  private readonly waiting: Entry[] = [];
  private running: Entry | null = null;
  private flag: Int32Array | null = null;
  /** Files that a new worker must be given again. */
  private readonly files = new Map<string, Uint8Array>();
  /** Called when the worker had to be started anew: it has forgotten the world that it made. */
  onRestart: (() => void) | null = null;

  get busy(): number {
    return this.waiting.length + (this.running ? 1 : 0);
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const shared = typeof SharedArrayBuffer !== 'undefined' && crossOriginIsolated ? new SharedArrayBuffer(4) : null;
    this.flag = shared ? new Int32Array(shared) : null;
    this.ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.failed) reject(new EngineError(data.failed, 5));
        else if (data.ready) {
          for (const [name, bytes] of this.files) worker.postMessage({ id: 0, name: 'putFile', args: [name, bytes] });
          resolve();
        } else if (worker === this.worker) this.receive(data);
      };
      worker.onerror = (event) => reject(new EngineError(event.message || 'the worker did not start', 5));
      engineModule().then((module) => worker.postMessage({ start: module, flag: shared }), reject);
    });
    this.worker = worker;
    return worker;
  }

  private receive(data: Answer): void {
    const entry = this.running;
    if (!entry || entry.id !== data.id) {
      discard(data.result);
      return;
    }
    if (data.progress) {
      entry.onProgress?.(data.progress);
      return;
    }
    this.running = null;
    if (data.error) entry.reject(new EngineError(data.error.message, data.error.code, data.error.problems));
    else entry.resolve(data.result);
    if (data.broken) this.restart();
    void this.next();
  }

  /** Starts the call that has waited longest, if none runs. */
  private async next(): Promise<void> {
    if (this.running) return;
    const entry = this.waiting.shift();
    if (!entry) return;
    this.running = entry;
    try {
      const worker = this.worker ?? this.start();
      await this.ready;
      if (this.running === entry && this.worker === worker) worker.postMessage({ id: entry.id, name: entry.name, args: entry.args });
    } catch (error) {
      entry.reject(error);
      if (this.running !== entry) return;
      this.running = null;
      this.restart();
      void this.next();
    }
  }

  private add(name: keyof Calls, args: unknown[], onProgress?: (p: Progress) => void): { entry: Entry; answer: Promise<unknown> } {
    let entry!: Entry;
    const answer = new Promise((resolve, reject) => {
      entry = { id: nextId++, name, args, resolve, reject, onProgress };
    });
    this.waiting.push(entry);
    void this.next();
    return { entry, answer };
  }

  /** Calls the engine. */
  call<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): Promise<Result<Name>> {
    if (name === 'putFile') this.files.set(args[0] as string, args[1] as Uint8Array);
    return this.add(name, args).answer as Promise<Result<Name>>;
  }

  /** Calls the engine for something that can be done without: stopping it must not cost the world that was made. */
  spare<Name extends keyof Calls>(name: Name, args: Parameters<Calls[Name]>, signal: AbortSignal): Promise<Result<Name>> {
    return this.run(name, args, signal, undefined, true);
  }

  /** Calls the engine, tells of its progress, and stops it when `signal` says so. */
  async run<Name extends keyof Calls>(
    name: Name,
    args: Parameters<Calls[Name]>,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void = () => {},
    spare = false,
  ): Promise<Result<Name>> {
    if (signal.aborted) throw cancelled();
    const { entry, answer } = this.add(name, args, onProgress);
    entry.spare = spare;
    const stop = () => this.stop(entry);
    signal.addEventListener('abort', stop);
    try {
      const result = await answer;
      if (!signal.aborted) return result as Result<Name>;
      discard(result);
      throw cancelled();
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Stops a call. Where memory is shared the engine stops by itself and keeps its phases; else the worker is started anew. */
  private stop(entry: Entry): void {
    const at = this.waiting.indexOf(entry);
    if (at >= 0) {
      this.waiting.splice(at, 1);
      entry.reject(cancelled());
    } else if (this.running === entry) {
      if (this.flag) {
        Atomics.store(this.flag, 0, entry.id);
        return;
      }
      if (entry.spare) return;
      this.running = null;
      entry.reject(cancelled());
      this.restart();
      void this.next();
    }
  }

  private restart(): void {
    this.worker?.terminate();
    this.worker = null;
    this.onRestart?.();
  }
}

interface Job {
  name: keyof Calls;
  args: unknown[];
  signal?: AbortSignal;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Several workers that share what waits. Jobs start in the order of asking; one that is no longer wanted does not start. */
export class Pool {
  private readonly channels: Channel[] = [];
  private readonly waiting: Job[] = [];

  constructor(private readonly size: number) {}

  get busy(): number {
    return this.waiting.length + this.channels.reduce((n, c) => n + c.busy, 0);
  }

  call<Name extends keyof Calls>(
    name: Name,
    args: Parameters<Calls[Name]>,
    signal?: AbortSignal,
  ): Promise<Result<Name>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ name, args, signal, resolve: resolve as (v: unknown) => void, reject });
      this.next();
    });
  }

  /** Every worker of the pool gets a file. */
  async putFile(name: string, bytes: Uint8Array): Promise<void> {
    while (this.channels.length < this.size) this.channels.push(new Channel());
    await Promise.all(this.channels.map((c) => c.call('putFile', name, bytes)));
  }

  private next(): void {
    let free = this.channels.find((c) => c.busy === 0);
    if (!free && this.channels.length < this.size) {
      free = new Channel();
      this.channels.push(free);
    }
    if (!free) return;
    const job = this.waiting.shift();
    if (!job) return;
    if (job.signal?.aborted) {
      job.reject(new EngineError('cancelled', 130));
      this.next();
      return;
    }
    const call = free.call as (name: keyof Calls, ...args: unknown[]) => Promise<unknown>;
    call.call(free, job.name, ...job.args).then(job.resolve, job.reject).finally(() => this.next());
    this.next();
  }
}

/** Workers for what is made piece by piece: one core is left to the page. */
export function poolSize(): number {
  return Math.max(1, Math.min(6, (navigator.hardwareConcurrency || 2) - 1));
}
