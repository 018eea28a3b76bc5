/**
 * The vectors of all people to recognise, in memory, one identity replaced at a time. They are kept per pack, because
 * vectors of different packs are never compared. The gallery knows nothing of people, cameras, pictures or the
 * database, so that it can be argued about with a table of numbers; the votes over a track decide what distances
 * mean.
 */
import { Rows, squaredDistance, type Counts, type Nearest } from './rows.ts';

export interface Reference {
  readonly pack: string;
  readonly vector: Float32Array;
  /** When its photo was added, in Unix milliseconds; absent: before any other. */
  readonly addedAtMs?: number;
}

export class Gallery {
  readonly #identities = new Set<string>();
  readonly #rows = new Map<string, Rows>();
  readonly #negatives = new Map<string, readonly Reference[]>();
  /** For each identity by pack, in the order of its vectors. */
  readonly #addedAtMs = new Map<string, ReadonlyMap<string, readonly number[]>>();

  /** How many identities can be recognised. */
  get size(): number {
    return this.#identities.size;
  }

  /** How many vectors of this pack a probe is compared with. */
  references(pack: string): number {
    return this.#rows.get(pack)?.size ?? 0;
  }

  /** How much memory the vectors take. */
  get bytes(): number {
    return [...this.#rows.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * An identity without references is forgotten. The cost depends on what the identity has, not on how many others
   * there are.
   */
  replace(identityId: string, references: readonly Reference[]): void {
    const byPack = Map.groupBy(references, ({ pack }) => pack);
    for (const pack of byPack.keys()) {
      const { length } = byPack.get(pack)![0]!.vector;
      if (!this.#rows.has(pack)) this.#rows.set(pack, new Rows(length));
    }
    for (const [pack, rows] of this.#rows) {
      rows.replace(
        identityId,
        (byPack.get(pack) ?? []).map(({ vector }) => vector),
      );
      if (rows.size === 0) this.#rows.delete(pack);
    }
    if (references.length === 0) {
      this.#identities.delete(identityId);
      this.#addedAtMs.delete(identityId);
      return;
    }
    this.#identities.add(identityId);
    const times = [...byPack].map(
      ([pack, some]) => [pack, some.map(({ addedAtMs = 0 }) => addedAtMs)] as const,
    );
    this.#addedAtMs.set(identityId, new Map(times));
  }

  /** Whether an identity has a vector of any of these packs. */
  isKnownBy(identityId: string, packs: ReadonlySet<string>): boolean {
    const has = this.#addedAtMs.get(identityId);
    return has !== undefined && [...has.keys()].some((pack) => packs.has(pack));
  }

  /** The vectors of an identity; valid until it is replaced. */
  referencesOf(identityId: string, pack: string): Reference[] {
    const times = this.#addedAtMs.get(identityId)?.get(pack) ?? [];
    const vectors = this.#rows.get(pack)?.vectorsOf(identityId) ?? [];
    return vectors.map((vector, i) => ({ pack, vector, addedAtMs: times[i] ?? 0 }));
  }

  /**
   * Sets what is not this identity, although it was taken for it: "not this person". A probe that is no nearer to the
   * identity than to one of these is never named as it, from the next search on; the runner-up takes its place. The
   * list replaces the earlier one; with an empty list anything near may be named again. Negatives stay when the
   * references change, and cost a search only where the identity would be found.
   */
  setNegatives(identityId: string, references: readonly Reference[]): void {
    if (references.length === 0) this.#negatives.delete(identityId);
    else this.#negatives.set(identityId, references);
  }

  /**
   * Returns the `k` nearest identities, nearest first; of two at the same distance the one whose id comes first.
   * `among`: only those it allows; the more it refuses, the more vectors are compared in full.
   */
  nearest(
    probe: Float32Array,
    pack: string,
    k: number,
    among?: (identityId: string) => boolean,
  ): Nearest[] {
    const isTheirs = this.#counts(probe, pack);
    const counts: Counts | undefined = among
      ? (identityId, squared) => among(identityId) && (isTheirs?.(identityId, squared) ?? true)
      : isTheirs;
    return this.#rows.get(pack)?.nearest(probe, k, counts) ?? [];
  }

  /** Only what is nearer than every negative counts: then the identity's nearest does, if any does. */
  #counts(probe: Float32Array, pack: string): Counts | undefined {
    if (this.#negatives.size === 0) return undefined;
    const limits = new Map<string, number>();
    return (identityId, squared) => {
      const negatives = this.#negatives.get(identityId);
      if (!negatives) return true;
      let limit = limits.get(identityId);
      if (limit === undefined) {
        const comparable = negatives.filter((negative) => negative.pack === pack);
        limit = Math.min(...comparable.map(({ vector }) => squaredDistance(probe, vector, 0)));
        limits.set(identityId, limit);
      }
      return squared < limit;
    };
  }
}
