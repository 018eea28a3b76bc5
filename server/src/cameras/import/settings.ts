/**
 * The settings of cameras in a file besides their addresses, one by one. Each setting that is taken over is marked; the
 * rest is listed before anything is saved, so that nothing is dropped in silence, not even settings unknown here.
 */
import type { SettingReason } from '@nazar/contract/camera-import.ts';
import { memberOf, sectionOf, type Section } from './data.ts';

/** From the root of the file: names of sections, and indexes of lists. */
export type Path = readonly (string | number)[];

export interface Found {
  readonly path: Path;
  readonly value: unknown;
}

/** A setting that isn't taken over, or not exactly as the file says. */
export interface Remark extends Found {
  readonly reason: SettingReason;
}

/** Null: everything below is taken over. */
export type TakenTree = Map<string | number, TakenTree | null>;

/** The parts of a file that are taken over. */
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

/** The settings of one camera of Frigate: its own, else those for all cameras. */
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

  /** Null if neither has it. */
  find(...names: readonly string[]): Found | null {
    const own = this.own(...names);
    if (own) return own;
    const value = valueAt(this.#file, names);
    return isSaid(value) ? { path: names, value } : null;
  }

  /** The camera's own setting. */
  own(...names: readonly string[]): Found | null {
    const value = valueAt(this.#camera, names);
    return isSaid(value) ? { path: this.pathOf(...names), value } : null;
  }

  pathOf(...names: Path): Path {
    return ['cameras', this.#key, ...names];
  }

  /** As `find`; the setting counts as taken over. */
  take(...names: readonly string[]): Found | null {
    const found = this.find(...names);
    if (found) this.taken.add(found.path);
    return found;
  }
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

const valueAt = (data: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => memberOf(value, name), data);

/** As Frigate reads it: a boolean, or a word or number that means one. */
export const isOff = (value: unknown): boolean =>
  ['false', 'no', 'off', 'n', 'f', '0'].includes(wordOf(value));
export const isOn = (value: unknown): boolean =>
  ['true', 'yes', 'on', 'y', 't', '1'].includes(wordOf(value));

const wordOf = (value: unknown): string =>
  ['string', 'boolean', 'number'].includes(typeof value) ? String(value).toLowerCase() : '';
