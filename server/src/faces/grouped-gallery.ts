/**
 * A gallery of those who may have several identities: people of whom strangers were named, strangers who were
 * merged. Each counts once, with what is nearest of theirs.
 */
import { Gallery, type Reference } from './gallery.ts';

/** The nearest of one group, by one of its identities. */
export interface NearGroup {
  readonly groupId: string;
  readonly identityId: string;
  readonly distance: number;
}

export class GroupedGallery {
  readonly #gallery = new Gallery();
  readonly #kept = new Map<string, { readonly groupId: string; readonly references: number }>();
  /** Identities of a group. */
  readonly #sizes = new Map<string, number>();
  /** The groups of more than one: few. */
  readonly #several = new Set<string>();
  #references = 0;

  /** How many groups can be found. */
  get size(): number {
    return this.#sizes.size;
  }

  /** How many vectors a picture is compared with. */
  get references(): number {
    return this.#references;
  }

  /** An identity without references is forgotten. */
  replace(identityId: string, groupId: string, references: readonly Reference[]): void {
    const before = this.#kept.get(identityId);
    if (before) this.#count(before.groupId, -1, -before.references);
    this.#gallery.replace(identityId, references);
    if (references.length === 0) {
      this.#kept.delete(identityId);
      return;
    }
    this.#kept.set(identityId, { groupId, references: references.length });
    this.#count(groupId, 1, references.length);
  }

  forget(identityId: string): void {
    this.replace(identityId, '', []);
  }

  /** What is not this identity, in place of what was not it before. */
  setNegatives(identityId: string, references: readonly Reference[]): void {
    this.#gallery.setNegatives(identityId, references);
  }

  /** The `k` nearest groups, nearest first; `among`: only identities it allows. */
  nearest(
    vector: Float32Array,
    pack: string,
    k: number,
    among?: (identityId: string) => boolean,
  ): NearGroup[] {
    // So that one group of many identities hides nobody.
    let largest = 1;
    for (const groupId of this.#several) largest = Math.max(largest, this.#sizes.get(groupId)!);
    const groups = new Map<string, NearGroup>();
    for (const near of this.#gallery.nearest(vector, pack, k * largest, among)) {
      const { groupId } = this.#kept.get(near.identityId)!;
      if (!groups.has(groupId)) groups.set(groupId, { groupId, ...near });
    }
    return [...groups.values()].slice(0, k);
  }

  #count(groupId: string, identities: 1 | -1, references: number): void {
    this.#references += references;
    const size = (this.#sizes.get(groupId) ?? 0) + identities;
    if (size === 0) this.#sizes.delete(groupId);
    else this.#sizes.set(groupId, size);
    if (size > 1) this.#several.add(groupId);
    else this.#several.delete(groupId);
  }
}
