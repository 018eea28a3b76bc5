/**
 * Which fields of forms were changed by hand. Kept by element, because a form may hold its values in state or in the
 * elements alike. What stands outside of a form (a search, a filter) is not input that could be lost.
 */
import { useState, type ChangeEvent, type FocusEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Change {
  /** Null: it was changed before it had the focus. */
  before: string | null;
  now: string;
  readonly form: HTMLFormElement;
}

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const isTicked = (field: Field): boolean =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

const valueOf = (field: Field): string =>
  isTicked(field) ? String((field as HTMLInputElement).checked) : field.value;

export class TypedFields {
  readonly #before = new WeakMap<Field, string>();
  readonly #changes = new Map<Field, Change>();

  /** Before anything is typed into it. */
  focused(target: EventTarget): void {
    if (isField(target) && !this.#before.has(target)) this.#before.set(target, valueOf(target));
  }

  changed(target: EventTarget): void {
    if (!isField(target) || target.form === null || target.type === 'search') return;
    const before = this.#before.get(target) ?? null;
    this.#changes.set(target, { before, now: valueOf(target), form: target.form });
  }

  /**
   * Whether something would be lost now. A form that is gone has been sent or left by its own button; a field that is
   * gone while its form is there belongs to an earlier step of it.
   */
  get isUnsaved(): boolean {
    for (const [field, { before, now, form }] of this.#changes) {
      if (form.isConnected && (field.isConnected ? valueOf(field) : now) !== before) return true;
    }
    return false;
  }
}

/** Give `handlers` to the element round the forms. */
export function useTypedFields() {
  const [fields] = useState(() => new TypedFields());
  const [handlers] = useState(() => ({
    onFocusCapture: ({ target }: FocusEvent) => fields.focused(target),
    onInputCapture: ({ target }: ChangeEvent | React.InputEvent) => fields.changed(target),
  }));
  return { fields, handlers };
}
