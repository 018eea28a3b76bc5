/**
 * A gallery for groups of identities: people as whom strangers were named, strangers who were merged. Each group
 * counts once, with its nearest vector.
 */
import { Gallery, type Reference } from './gallery.ts';

/** The nearest vector of one group, by one of its identities. */
export interface NearGroup {
  readonly groupId: string;
  readonly identityId: string;
  readonly distance: number;
}

export class GroupedGallery {
  readonly #gallery = new Gallery();
  /** The group of each identity. */
  readonly #groups = new Map<string, string>();
  /** The identities of each group. */
  readonly #members = new Map<string, Set<string>>();
  /** The groups with more than one identity: few. */
  readonly #several = new Set<string>();

  /** How many groups can be found. */
  get size(): number {
    return this.#members.size;
  }

  /** How many vectors of this pack a probe is compared with. */
  references(pack: string): number {
    return this.#gallery.references(pack);
  }

  /** An identity without references is forgotten. */
  replace(identityId: string, groupId: string, references: readonly Reference[]): void {
    const before = this.#groups.get(identityId);
    if (before !== undefined) this.#leave(before, identityId);
    this.#gallery.replace(identityId, references);
    if (references.length === 0) {
      this.#groups.delete(identityId);
      return;
    }
    this.#groups.set(identityId, groupId);
    const members = this.#members.get(groupId) ?? new Set();
    this.#members.set(groupId, members.add(identityId));
    if (members.size > 1) this.#several.add(groupId);
  }

  /** The vectors of a group; valid until one of its identities is replaced. */
  referencesOf(groupId: string, pack: string): Reference[] {
    const members = [...(this.#members.get(groupId) ?? [])];
    return members.flatMap((identityId) => this.#gallery.referencesOf(identityId, pack));
  }

  /** The groups of which there is no vector of these packs: nothing that these made can be compared with them. */
  withoutAnyOf(packs: ReadonlySet<string>): string[] {
    return [...this.#members]
      .filter(([, members]) => ![...members].some((id) => this.#gallery.isKnownBy(id, packs)))
      .map(([groupId]) => groupId);
  }

  forget(identityId: string): void {
    this.replace(identityId, '', []);
  }

  /** Sets what is not this identity, in place of the earlier list. */
  setNegatives(identityId: string, references: readonly Reference[]): void {
    this.#gallery.setNegatives(identityId, references);
  }

  /** Returns the `k` nearest groups, nearest first; `among`: only identities it allows. */
  nearest(
    vector: Float32Array,
    pack: string,
    k: number,
    among?: (identityId: string) => boolean,
  ): NearGroup[] {
    // Ensures that one group of many identities hides no other.
    let largest = 1;
    for (const groupId of this.#several) {
      largest = Math.max(largest, this.#members.get(groupId)!.size);
    }
    const groups = new Map<string, NearGroup>();
    for (const near of this.#gallery.nearest(vector, pack, k * largest, among)) {
      const groupId = this.#groups.get(near.identityId)!;
      if (!groups.has(groupId)) groups.set(groupId, { groupId, ...near });
    }
    return [...groups.values()].slice(0, k);
  }

  #leave(groupId: string, identityId: string): void {
    const members = this.#members.get(groupId)!;
    members.delete(identityId);
    if (members.size === 0) this.#members.delete(groupId);
    if (members.size <= 1) this.#several.delete(groupId);
  }
}
