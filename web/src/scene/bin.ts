// What has to be undone when a view is closed.

export class Bin {
  private readonly tasks: (() => void)[] = [];

  add(task: () => void): void {
    this.tasks.push(task);
  }

  /** Keeps a geometry, material or texture until the view is closed. */
  keep<T extends { dispose(): void }>(thing: T): T {
    this.add(() => thing.dispose());
    return thing;
  }

  listen<E extends Event>(target: EventTarget, type: string, handler: (event: E) => void, options?: AddEventListenerOptions): void {
    const listener = handler as EventListener;
    target.addEventListener(type, listener, options);
    this.add(() => target.removeEventListener(type, listener, options));
  }

  /** Undoes everything, the latest first. */
  empty(): void {
    for (let task = this.tasks.pop(); task; task = this.tasks.pop()) task();
  }
}
