/** What a deed changed: each field with its value before and after, as the server recorded it. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { fieldOfDeed } from '@nazar/contract/activity-fields.ts';

export interface FieldChange {
  readonly field: string;
  /** Null: values of this field are not recorded, because they may be secrets or name people. */
  readonly values: { readonly before: unknown; readonly after: unknown } | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPair = (value: unknown): value is { from: unknown; to: unknown } =>
  isObject(value) && 'from' in value && 'to' in value;

/** `changes` has values, `fields` names alone; a deed on one thing says `from` and `to` itself. */
export function changesOf({
  event,
  additional_data: data,
}: Pick<ActivityEntry, 'event' | 'additional_data'>): FieldChange[] {
  const { changes, fields, from, to } = data;
  const valued = isObject(changes)
    ? Object.entries(changes).flatMap(([field, pair]) =>
        isPair(pair) ? [{ field, values: { before: pair.from, after: pair.to } }] : [],
      )
    : [];
  const known = new Set(valued.map(({ field }) => field));
  const named = Array.isArray(fields) ? fields.filter((name) => typeof name === 'string') : [];
  const bare = named.filter((field) => !known.has(field)).map((field) => ({ field, values: null }));
  const own =
    from === undefined && to === undefined
      ? []
      : [{ field: fieldOfDeed[event] ?? '', values: { before: from, after: to } }];
  return [...valued, ...bare, ...own];
}

const shown = new Set(['changes', 'fields', 'from', 'to', 'is_mock']);

/** The rest of what was recorded. */
export function otherData(data: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(data).filter(([name, value]) => {
    if (name === 'changes') return !isObject(value);
    return !shown.has(name);
  });
}
