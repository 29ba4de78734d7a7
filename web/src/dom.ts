// Elements of the page, made by hand.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An element with properties, attributes (`aria-…`, `data-…`, `for`, `role`), listeners (`onclick`) and children. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element && !name.includes('-') && name !== 'list' && name !== 'role') {
      (element as unknown as Props)[name] = value;
    } else {
      element.setAttribute(name === 'className' ? 'class' : name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return element;
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
}

/** A button with an icon of text and a name for everybody. */
export function iconButton(icon: string, name: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', className: 'icon', title: name, 'aria-label': name, onclick, ...props }, icon);
}

/** Words of a name in snake_case. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number as people write it: at most five digits that matter. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString('en', { useGrouping: Math.abs(value) >= 10000 });
  if (Math.abs(value) >= 1e5) return value.toLocaleString('en', { maximumSignificantDigits: 6 });
  return String(Number(value.toPrecision(5)));
}

/** Runs `action` when it was not asked for again for some milliseconds. */
export function debounce<Args extends unknown[]>(ms: number, action: (...args: Args) => void): (...args: Args) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), ms);
  };
}

/** Whether the keyboard belongs to a field. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return !!target?.closest('input, select, textarea, [contenteditable], dialog');
}
