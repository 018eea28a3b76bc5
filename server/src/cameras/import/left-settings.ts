/**
 * The settings of a file that aren't taken over, one by one: the path, value and reason of each. A value is shown
 * only if it cannot be a secret; no other part of the file is shown.
 */
import type { LeftSetting, SettingReason } from '@nazar/contract/camera-import.ts';
import { memberOf, sectionOf } from './data.ts';
import { isOff, type Found, type Path, type Remark, type TakenTree } from './settings.ts';

/** Enough for the largest real files; further settings are only counted. */
const maxLeftSettings = 2_000;
const maxNameChars = 60;
const maxPathChars = 300;
const maxValueChars = 60;

/** Sections of Frigate that hold numbers, words and positions. Others may hold addresses, names and passwords. */
const openSections: ReadonlySet<string> = new Set([
  'audio',
  'birdseye',
  'detect',
  'face_recognition',
  'lpr',
  'motion',
  'objects',
  'record',
  'review',
  'snapshots',
  'timestamp_style',
  'ui',
  'zones',
]);

/** Collects the settings that aren't taken over. Settings of cameras that aren't imported are left out. */
export class ListedSettings {
  readonly #withoutSignIn: (text: string) => string;
  readonly listed: LeftSetting[] = [];
  /** How many more there are than those. */
  more = 0;
  /** The keys of imported cameras, by their names in the file. */
  readonly #keys = new Map<string, string>();
  readonly #ofAll = new Set<string>();

  constructor(withoutSignIn: (text: string) => string) {
    this.#withoutSignIn = withoutSignIn;
  }

  /** The camera is imported. */
  found(written: string, key: string): void {
    this.#keys.set(written, key);
  }

  keyOf(written: string): string | undefined {
    return this.#keys.get(written);
  }

  /** A setting for all cameras is listed once, whichever camera it was found for. */
  add(remarks: Iterable<Remark>, key: string): void {
    for (const remark of remarks) {
      const isOfOne = remark.path[0] === 'cameras' || remark.path[0] === 'streams';
      if (!isOfOne && !this.#isNew(remark)) continue;
      this.#push(remark, isOfOne ? key : '');
    }
  }

  #push(remark: Remark, key: string): void {
    if (this.listed.length === maxLeftSettings) this.more += 1;
    else this.listed.push(asLeftSetting(remark, key, this.#withoutSignIn));
  }

  #isNew({ path, reason }: Remark): boolean {
    const text = JSON.stringify([path.map((name) => String(name).slice(0, 100)), reason]);
    const isNew = !this.#ofAll.has(text);
    this.#ofAll.add(text);
    return isNew;
  }

  /** Settings of the whole file, some of which belong to a camera. */
  addFile(remarks: Iterable<Remark>): void {
    for (const remark of remarks) {
      const [section, name] = remark.path;
      const key = section === 'cameras' ? this.#keys.get(`cameras.${name}`) : '';
      if (key !== undefined) this.#push(remark, key);
    }
  }
}

/**
 * Every setting below `data` that isn't in `taken`, in the order of the file. Where something is turned off as a whole,
 * nothing below it has an effect. `mayCut`: whether this applies to the section at that path.
 */
export function* leftIn(
  data: unknown,
  taken: TakenTree | undefined,
  mayCut: (path: Path) => boolean,
  path: Path = [],
): Generator<Found> {
  if (data === null || data === undefined || data === '') return;
  const isPlain = typeof data !== 'object' || (Array.isArray(data) && data.every(isScalar));
  if (isPlain) {
    if (!Array.isArray(data) || data.length > 0) yield { path, value: data };
    return;
  }
  if (!Array.isArray(data) && isOff(memberOf(data, 'enabled')) && mayCut(path)) return;
  const members = Array.isArray(data) ? data.entries() : Object.entries(sectionOf(data));
  for (const [name, value] of members) {
    const below = taken?.get(name);
    if (below !== null) yield* leftIn(value, below, mayCut, [...path, name]);
  }
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

export const asRemark = (found: Found, reasonOf: (path: Path) => SettingReason): Remark => ({
  ...found,
  reason: reasonOf(found.path),
});

/** The setting as it is shown. `key`: the camera it belongs to, '' if none. */
const asLeftSetting = (
  { path, value, reason }: Remark,
  key: string,
  withoutSignIn: (text: string) => string,
): LeftSetting => ({
  key,
  path: path
    .map((name) => clipped(withoutSecret(String(name), withoutSignIn), maxNameChars))
    .join('.')
    .slice(0, maxPathChars),
  value: shownValue(path, value),
  reason,
});

/** A name that looks like an address, or like more than a name, is shown without the suspicious parts or not at all. */
function withoutSecret(name: string, withoutSignIn: (text: string) => string): string {
  const shown = withoutSignIn(name.slice(0, 400));
  return /:\/\/|[?=@]/.test(shown) ? '…' : shown;
}

function shownValue(path: Path, value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return '';
  const below = path[0] === 'cameras' ? path.slice(2) : path;
  if (!openSections.has(String(below[0])) || below.some(isSecretName)) return '';
  const words = (Array.isArray(value) ? value.slice(0, 20) : [value]).map(wordOf);
  const text = words.join(', ').slice(0, 400);
  return /^[\p{L}\p{M}\p{N} _.,:%+-]*$/u.test(text) ? clipped(text, maxValueChars) : '';
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 400) : '';

const isSecretName = (name: string | number): boolean =>
  /pass|secret|token|key|user|auth|mail|credential/i.test(String(name).slice(0, 400));

function clipped(text: string, chars: number): string {
  const all = Array.from(text);
  return all.length <= chars ? text : `${all.slice(0, chars - 1).join('')}…`;
}
