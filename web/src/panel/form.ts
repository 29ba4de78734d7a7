// The form of a world's parameters, made from its schema.

import { fill, h, number, words } from '../dom';
import type { Parameter, ParamSchema, ParamValue, Parameters } from '../engine/types';

export interface FormEvents {
  /** A parameter was changed; undefined to go back to the recipe's value. */
  onChange(path: string, value: ParamValue | undefined): void;
}

/** Sliders are of no use over larger ranges. */
const WIDEST_SLIDER = 1e6;

function same(a: ParamValue, b: ParamValue): boolean {
  return a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-12 * Math.abs(a));
}

function range(schema: ParamSchema): { min?: number; max?: number } {
  return { min: schema.minimum ?? schema.exclusiveMinimum, max: schema.maximum ?? schema.exclusiveMaximum };
}

/** A step that divides the range finely and is a round number. */
function stepOf(schema: ParamSchema): number {
  if (schema.type === 'integer') return 1;
  const { min, max } = range(schema);
  if (min === undefined || max === undefined) return 0.01;
  return 10 ** Math.floor(Math.log10((max - min) / 200));
}

/** The name of a parameter in words, without the unit that stands beside it. */
function labelOf({ path, schema }: Parameter): string {
  const name = path.split('.').at(-1)!;
  const unit = schema['x-unit'];
  return words(unit && name.endsWith(`_${unit}`) ? name.slice(0, -unit.length - 1) : name);
}

/** One parameter: label, control, unit, help and a button that resets it. */
class Field {
  readonly element: HTMLElement;
  private readonly inputs: (HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[] = [];
  private readonly reset: HTMLButtonElement;
  private readonly problem: HTMLElement;

  constructor(
    readonly parameter: Parameter,
    private readonly events: FormEvents,
  ) {
    const { path, schema } = parameter;
    const id = `p-${path.replaceAll('.', '-')}`;
    const name = labelOf(parameter);
    this.problem = h('p', { className: 'problem', id: `${id}-problem`, role: 'alert', hidden: true });
    this.reset = h(
      'button',
      { type: 'button', className: 'reset', title: 'Back to the recipe’s value', 'aria-label': `Reset ${name}`, hidden: true, onclick: () => this.changed(undefined) },
      '↺',
    );
    const unit = schema['x-unit'] ? h('span', { className: 'unit' }, schema['x-unit']) : null;
    const about = `${id}-about`;
    this.element = h(
      'div',
      { className: 'field', 'data-path': path },
      h('div', { className: 'head' }, h('label', { for: id }, name), unit, this.reset),
      this.control(id, about),
      h('p', { className: 'about', id: about }, this.help()),
      this.problem,
    );
    this.set(parameter.value);
  }

  private help(): string {
    const { min, max } = range(this.parameter.schema);
    const text = this.parameter.schema.description ?? '';
    const limits = min !== undefined && max !== undefined ? ` ${number(min)} to ${number(max)}.` : '';
    const normal = typeof this.parameter.value === 'string' ? '' : ` Recipe: ${typeof this.parameter.value === 'number' ? number(this.parameter.value) : this.parameter.value}.`;
    return `${text}${limits}${normal}`;
  }

  private control(id: string, about: string): HTMLElement {
    const { schema } = this.parameter;
    const described = { 'aria-describedby': about, 'aria-errormessage': `${id}-problem` };
    const keep = <T extends HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(input: T): T => {
      this.inputs.push(input);
      return input;
    };
    if (schema.type === 'boolean') {
      const box = keep(h('input', { type: 'checkbox', id, ...described }));
      box.onchange = () => this.changed(box.checked);
      return h('div', { className: 'control' }, box);
    }
    if (schema.enum) {
      const options = schema.enum.map((name) => h('option', { value: name }, words(name)));
      const select = keep(h('select', { id, ...described }, ...options));
      select.onchange = () => this.changed(select.value);
      return h('div', { className: 'control' }, select);
    }
    if (schema.type === 'string') {
      const area = keep(h('textarea', { id, rows: 2, spellcheck: false, ...described }));
      area.onchange = () => this.changed(area.value);
      return h('div', { className: 'control' }, area);
    }
    const { min, max } = range(schema);
    const step = schema.type === 'integer' ? '1' : 'any';
    const box = keep(h('input', { type: 'number', id, min: min ?? '', max: max ?? '', step, inputMode: 'decimal', ...described }));
    box.onchange = () => this.changed(box.value.trim() === '' ? undefined : Number(box.value));
    if (min === undefined || max === undefined || max - min > WIDEST_SLIDER) return h('div', { className: 'control' }, box);
    const slider = keep(h('input', { type: 'range', min, max, step: stepOf(schema), 'aria-label': `${labelOf(this.parameter)}, slider`, tabIndex: -1 }));
    slider.oninput = () => {
      box.value = slider.value;
      this.changed(Number(slider.value));
    };
    return h('div', { className: 'control' }, slider, box);
  }

  private changed(value: ParamValue | undefined): void {
    this.set(value ?? this.parameter.value);
    const unchanged = value === undefined || same(value, this.parameter.value);
    this.events.onChange(this.parameter.path, unchanged ? undefined : value);
  }

  /** Shows a value. */
  set(value: ParamValue): void {
    const differs = !same(value, this.parameter.value);
    this.reset.hidden = !differs;
    this.element.classList.toggle('differs', differs);
    for (const input of this.inputs) {
      if (input instanceof HTMLInputElement && input.type === 'checkbox') input.checked = value === true;
      else if (document.activeElement !== input || input.value === '') input.value = String(value);
    }
  }

  complain(message: string | null): void {
    this.problem.hidden = message === null;
    this.problem.textContent = message ?? '';
    for (const input of this.inputs) input.setAttribute('aria-invalid', String(message !== null));
  }

  matches(text: string): boolean {
    const { path, schema } = this.parameter;
    return `${path.replaceAll('_', ' ')} ${path} ${schema.description ?? ''}`.toLowerCase().includes(text);
  }
}

/** The form of all parameters of a world. */
export class ParameterForm {
  readonly element: HTMLElement;
  private readonly fields = new Map<string, Field>();
  private readonly body = h('div', { className: 'groups' });
  private readonly search: HTMLInputElement;
  private readonly onlyChanged: HTMLInputElement;

  constructor(private readonly events: FormEvents) {
    this.search = h('input', { type: 'search', placeholder: 'Find a parameter', 'aria-label': 'Find a parameter', oninput: () => this.filter() });
    this.onlyChanged = h('input', { type: 'checkbox', onchange: () => this.filter() });
    const only = h('label', { className: 'only' }, this.onlyChanged, ' Only what differs from the recipe');
    this.element = h('form', { className: 'parameters', onsubmit: (e: Event) => e.preventDefault() }, this.search, only, this.body);
  }

  /** Builds the form of a recipe. */
  show(all: Parameters, values: Record<string, ParamValue>): void {
    this.fields.clear();
    const byPath = new Map(all.parameters.map((p) => [p.path, p]));
    const leaves: HTMLElement[] = [];
    const groups: HTMLElement[] = [];
    const walk = (schema: ParamSchema, path: string, own: HTMLElement[]) => {
      for (const [key, inner] of Object.entries(schema.properties ?? {})) {
        const full = path ? `${path}.${key}` : key;
        const parameter = byPath.get(full);
        if (parameter) {
          const field = new Field(parameter, this.events);
          this.fields.set(full, field);
          own.push(field.element);
        } else {
          const inside: HTMLElement[] = [];
          walk(inner, full, inside);
          const title = words(full.replaceAll('.', ', '));
          const about = inner.description ? h('p', { className: 'about' }, inner.description) : null;
          groups.push(h('details', { className: 'group', open: groups.length < 1 && leaves.length === 0 }, h('summary', {}, title, h('span', { className: 'count' })), about, ...inside));
        }
      }
    };
    walk(all.schema, '', leaves);
    const general = leaves.length ? [h('details', { className: 'group', open: true }, h('summary', {}, 'General', h('span', { className: 'count' })), ...leaves)] : [];
    fill(this.body, ...general, ...groups);
    this.set(values);
  }

  /** Shows the values that differ from the recipe. */
  set(values: Record<string, ParamValue>): void {
    for (const [path, field] of this.fields) field.set(values[path] ?? field.parameter.value);
    for (const group of this.body.querySelectorAll('.group')) {
      const changed = group.querySelectorAll('.differs').length;
      group.querySelector('.count')!.textContent = changed ? `${changed} changed` : '';
    }
    this.filter();
  }

  /** Marks the fields that have problems. */
  complain(problems: [string, string][]): void {
    for (const field of this.fields.values()) field.complain(null);
    for (const [path, message] of problems) this.fields.get(path)?.complain(message);
  }

  private filter(): void {
    const text = this.search.value.trim().toLowerCase();
    const only = this.onlyChanged.checked;
    for (const field of this.fields.values()) {
      field.element.hidden = !field.matches(text) || (only && !field.element.classList.contains('differs'));
    }
    for (const group of this.body.querySelectorAll<HTMLDetailsElement>('.group')) {
      const shown = group.querySelectorAll('.field:not([hidden])').length;
      group.hidden = shown === 0;
      if (text || only) group.open = shown > 0;
    }
  }
}
