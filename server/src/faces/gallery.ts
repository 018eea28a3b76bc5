/**
 * The vectors of everybody who is to be recognised, in memory: loaded at start, one identity replaced at
 * a time afterwards. Per pack, because vectors of different packs are never compared.
 */
import { nearestIdentities, type Nearest, type Vectors } from './matching.ts';

export interface Reference {
  readonly pack: string;
  readonly vector: Float32Array;
}

export class Gallery {
  readonly #references = new Map<string, readonly Reference[]>();
  /** Packed rows by pack, made when first asked for after a change. */
  readonly #packed = new Map<string, Vectors>();

  /** How many identities can be recognised. */
  get size(): number {
    return this.#references.size;
  }

  /** An identity without references is forgotten. */
  replace(identityId: string, references: readonly Reference[]): void {
    if (references.length === 0) this.#references.delete(identityId);
    else this.#references.set(identityId, references);
    this.#packed.clear();
  }

  replaceAll(all: ReadonlyMap<string, readonly Reference[]>): void {
    this.#references.clear();
    for (const [identityId, references] of all) this.#references.set(identityId, references);
    this.#packed.clear();
  }

  nearest(probe: Float32Array, pack: string, k: number): Nearest[] {
    const vectors = this.#packed.get(pack) ?? this.#pack(pack, probe.length);
    return nearestIdentities(probe, vectors, k);
  }

  #pack(pack: string, dimensions: number): Vectors {
    const owners: string[] = [];
    const kept: Float32Array[] = [];
    for (const [identityId, references] of this.#references) {
      for (const reference of references) {
        if (reference.pack !== pack) continue;
        owners.push(identityId);
        kept.push(reference.vector);
      }
    }
    const rows = new Float32Array(owners.length * dimensions);
    kept.forEach((vector, index) => rows.set(vector, index * dimensions));
    const vectors: Vectors = { dimensions, rows, owners };
    this.#packed.set(pack, vectors);
    return vectors;
  }
}
