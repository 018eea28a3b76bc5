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
  /** Whose each identity is. */
  readonly #groups = new Map<string, string>();
  /** Identities of a group. */
  readonly #sizes = new Map<string, number>();
  /** The groups of more than one: few. */
  readonly #several = new Set<string>();

  /** How many groups can be found. */
  get size(): number {
    return this.#sizes.size;
  }

  /** How many vectors of this pack a probe is compared with. */
  references(pack: string): number {
    return this.#gallery.references(pack);
  }

  /** An identity without references is forgotten. */
  replace(identityId: string, groupId: string, references: readonly Reference[]): void {
    const before = this.#groups.get(identityId);
    if (before !== undefined) this.#count(before, -1);
    this.#gallery.replace(identityId, references);
    if (references.length === 0) {
      this.#groups.delete(identityId);
      return;
    }
    this.#groups.set(identityId, groupId);
    this.#count(groupId, 1);
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
      const groupId = this.#groups.get(near.identityId)!;
      if (!groups.has(groupId)) groups.set(groupId, { groupId, ...near });
    }
    return [...groups.values()].slice(0, k);
  }

  #count(groupId: string, identities: 1 | -1): void {
    const size = (this.#sizes.get(groupId) ?? 0) + identities;
    if (size === 0) this.#sizes.delete(groupId);
    else this.#sizes.set(groupId, size);
    if (size > 1) this.#several.add(groupId);
    else this.#several.delete(groupId);
  }
}
