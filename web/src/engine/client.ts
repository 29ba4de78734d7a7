// Workers that run the engine, as the page sees them.

import wasmUrl from '../pkg/weald_web_bg.wasm?url';
import type { Calls } from './calls';
import { EngineError, type Progress } from './types';

type Result<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress?: (progress: Progress) => void;
}

let compiled: Promise<WebAssembly.Module> | null = null;

/** The engine, compiled once for all workers. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    const response = await fetch(wasmUrl);
    if (!response.ok) throw new EngineError(`the engine could not be loaded (${response.status})`, 4);
    try {
      return await WebAssembly.compileStreaming(response.clone());
    } catch {
      // Some servers do not name the type of WASM files.
      return await WebAssembly.compile(await response.arrayBuffer());
    }
  })();
  return compiled;
}

let nextId = 1;

/** One worker. Calls are answered in order; a running call can be cancelled. */
export class Channel {
  private worker: Worker | null = null;
  private ready: Promise<void> = Promise.resolve();
  private readonly pending = new Map<number, Pending>();
  private queue: number[] = [];
  private flag: Int32Array | null = null;
  /** Files that a new worker must be given again. */
  private readonly files = new Map<string, Uint8Array>();

  get busy(): number {
    return this.pending.size;
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const shared = typeof SharedArrayBuffer !== 'undefined' && crossOriginIsolated ? new SharedArrayBuffer(4) : null;
    this.flag = shared ? new Int32Array(shared) : null;
    this.ready = new Promise((resolve, reject) => {
      worker.onmessage = (event) => {
        if (event.data.ready) resolve();
        else this.receive(event.data);
      };
      worker.onerror = (event) => reject(new EngineError(event.message || 'the worker did not start', 5));
      engineModule().then((module) => worker.postMessage({ start: module, flag: shared }), reject);
    });
    this.worker = worker;
    for (const [name, bytes] of this.files) this.send('putFile', [name, bytes]).catch(() => {});
    return worker;
  }

  private receive(data: {
    id: number;
    progress?: Progress;
    result?: unknown;
    error?: { message: string; code: number; problems: [string, string][] };
    broken?: boolean;
  }): void {
    const pending = this.pending.get(data.id);
    if (data.progress) {
      pending?.onProgress?.(data.progress);
      return;
    }
    this.pending.delete(data.id);
    this.queue = this.queue.filter((id) => id !== data.id);
    if (data.broken) this.restart('the engine had to be started again');
    if (data.error) pending?.reject(new EngineError(data.error.message, data.error.code, data.error.problems));
    else pending?.resolve(data.result);
  }

  private async send(name: keyof Calls, args: unknown[], onProgress?: (p: Progress) => void): Promise<unknown> {
    const id = nextId++;
    const answer = new Promise((resolve, reject) => this.pending.set(id, { resolve, reject, onProgress }));
    this.queue.push(id);
    try {
      const worker = this.worker ?? this.start();
      await this.ready;
      if (this.pending.has(id)) worker.postMessage({ id, name, args });
    } catch (error) {
      this.pending.get(id)?.reject(error);
      this.pending.delete(id);
      this.worker = null;
    }
    return answer;
  }

  /** Calls the engine. */
  call<Name extends keyof Calls>(name: Name, ...args: Parameters<Calls[Name]>): Promise<Result<Name>> {
    if (name === 'putFile') this.files.set(args[0] as string, args[1] as Uint8Array);
    return this.send(name, args) as Promise<Result<Name>>;
  }

  /** Calls the engine, tells of its progress, and stops it when `signal` says so. */
  async run<Name extends keyof Calls>(
    name: Name,
    args: Parameters<Calls[Name]>,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Result<Name>> {
    if (signal.aborted) throw new EngineError('cancelled', 130);
    const cancel = () => this.cancel();
    signal.addEventListener('abort', cancel);
    try {
      return (await this.send(name, args, onProgress)) as Result<Name>;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Stops what runs and forgets what waits. Where memory is shared the engine stops by itself and keeps its phases. */
  cancel(): void {
    const [running, ...waiting] = this.queue;
    for (const id of waiting) {
      this.pending.get(id)?.reject(new EngineError('cancelled', 130));
      this.pending.delete(id);
    }
    if (running === undefined) return;
    this.queue = [running];
    if (this.flag) Atomics.store(this.flag, 0, running);
    else this.restart('cancelled');
  }

  private restart(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    for (const pending of this.pending.values()) pending.reject(new EngineError(why, 130));
    this.pending.clear();
    this.queue = [];
  }

  dispose(): void {
    this.restart('closed');
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
  return Math.max(2, Math.min(6, (navigator.hardwareConcurrency || 2) - 1));
}
