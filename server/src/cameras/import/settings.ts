/**
 * What a file says of cameras beside their addresses, setting by setting. Whatever is taken over is marked as taken; the
 * rest is listed before anything is saved, so that nothing is dropped in silence: also what nobody thought of here.
 */
import type { SettingReason } from '@nazar/contract/camera-import.ts';
import { memberOf, sectionOf, type Section } from './data.ts';

/** From the root of the file: names of sections, and places in lists. */
export type Path = readonly (string | number)[];

export interface Found {
  readonly path: Path;
  readonly value: unknown;
}

/** A setting that isn't taken over, or otherwise than the file says it. */
export interface Remark extends Found {
  readonly reason: SettingReason;
}

/** Null: everything below is taken. */
export type TakenTree = Map<string | number, TakenTree | null>;

/** What of a file is taken over. */
export class Taken {
  readonly tree: TakenTree = new Map();

  add(path: Path): void {
    let tree = this.tree;
    for (const [depth, name] of path.entries()) {
      const next = tree.get(name);
      if (next === null) return;
      if (depth === path.length - 1) tree.set(name, null);
      else if (next) tree = next;
      else {
        const made: TakenTree = new Map();
        tree.set(name, made);
        tree = made;
      }
    }
  }
}

/** The settings of one camera of Frigate: its own, else those that hold for all. */
export class CameraSettings {
  readonly #file: Section;
  readonly #key: string;
  readonly #camera: unknown;
  readonly taken: Taken;

  constructor(file: Section, key: string, taken: Taken) {
    this.#file = file;
    this.#key = key;
    this.#camera = memberOf(sectionOf(file, 'cameras'), key);
    this.taken = taken;
  }

  /** Null where neither says anything. */
  find(...names: readonly string[]): Found | null {
    const own = this.own(...names);
    if (own) return own;
    const value = valueAt(this.#file, names);
    return isSaid(value) ? { path: names, value } : null;
  }

  /** What the camera says itself. */
  own(...names: readonly string[]): Found | null {
    const value = valueAt(this.#camera, names);
    return isSaid(value) ? { path: this.pathOf(...names), value } : null;
  }

  pathOf(...names: Path): Path {
    return ['cameras', this.#key, ...names];
  }

  /** As `find`; it counts as taken. */
  take(...names: readonly string[]): Found | null {
    const found = this.find(...names);
    if (found) this.taken.add(found.path);
    return found;
  }
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

const valueAt = (data: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => memberOf(value, name), data);

/** As Frigate reads it: a boolean, or a word or number for one. */
export const isOff = (value: unknown): boolean =>
  ['false', 'no', 'off', 'n', 'f', '0'].includes(wordOf(value));
export const isOn = (value: unknown): boolean =>
  ['true', 'yes', 'on', 'y', 't', '1'].includes(wordOf(value));

const wordOf = (value: unknown): string =>
  ['string', 'boolean', 'number'].includes(typeof value) ? String(value).toLowerCase() : '';
