/** References of strangers in memory. Merged strangers keep their own references and count as one. */
import { Gallery, type Reference } from './gallery.ts';
import type { NearStranger } from './joining.ts';

export class StrangerGallery {
  readonly #gallery = new Gallery();
  readonly #kept = new Map<string, { readonly strangerId: string; readonly references: number }>();
  /** How many identities a stranger is made of. */
  readonly #sizes = new Map<string, number>();
  #references = 0;

  /** How many vectors a picture is compared with. */
  get references(): number {
    return this.#references;
  }

  replace(identityId: string, strangerId: string, references: readonly Reference[]): void {
    this.forget(identityId);
    if (references.length === 0) return;
    this.#gallery.replace(identityId, references);
    this.#kept.set(identityId, { strangerId, references: references.length });
    this.#sizes.set(strangerId, (this.#sizes.get(strangerId) ?? 0) + 1);
    this.#references += references.length;
  }

  forget(identityId: string): void {
    const kept = this.#kept.get(identityId);
    if (!kept) return;
    this.#gallery.replace(identityId, []);
    this.#kept.delete(identityId);
    const size = this.#sizes.get(kept.strangerId)! - 1;
    if (size === 0) this.#sizes.delete(kept.strangerId);
    else this.#sizes.set(kept.strangerId, size);
    this.#references -= kept.references;
  }

  strangersOf(identityIds: readonly string[]): Set<string> {
    return new Set(identityIds.map((id) => this.#kept.get(id)?.strangerId ?? id));
  }

  /** The `k` nearest strangers, nearest first. */
  nearest(vector: Float32Array, pack: string, k: number): NearStranger[] {
    // So that one stranger of many identities hides nobody.
    let largest = 1;
    for (const size of this.#sizes.values()) largest = Math.max(largest, size);
    const strangers = new Map<string, NearStranger>();
    for (const { identityId, distance } of this.#gallery.nearest(vector, pack, k * largest)) {
      const { strangerId } = this.#kept.get(identityId)!;
      if (!strangers.has(strangerId))
        strangers.set(strangerId, { strangerId, identityId, distance });
    }
    return [...strangers.values()].slice(0, k);
  }
}
