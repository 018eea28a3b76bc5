/**
 * Vectors of another pack for visits, made from the stored chips. Visits whose pictures are references of strangers
 * come first, with what faces keeps of them. A visit has nothing but its chip: where a pack cannot read that, the
 * visit is compared with nothing.
 */
import type { Database, Tx } from '#db/database.ts';
import type { PackCounts } from '#db/pack-columns.ts';
import {
  type Chip,
  type ChipSource,
  type Faces,
  type Reembedded,
  type Packs,
  type Waiting,
} from '#faces/faces.ts';
import { SealBroken } from '#lib/secrets.ts';
import { vectorBytes } from '#lib/vectors.ts';
import { chipPlace, templatePlace } from './pictures.ts';
import { ReembeddingStore, type SealedChip } from './reembedding-store.ts';

/** `''`: there is no picture any more. */
const noPicture = { identityId: '', version: '', chip: null };

export class VisitChips implements ChipSource {
  readonly #store: ReembeddingStore;
  readonly #faces: Pick<Faces, 'keyOf' | 'chipSource' | 'strangers'>;

  constructor(db: Database, faces: Pick<Faces, 'keyOf' | 'chipSource' | 'strangers'>) {
    this.#store = new ReembeddingStore(db);
    this.#faces = faces;
  }

  count(pack: string): Promise<PackCounts> {
    return this.#store.count(pack);
  }

  async waiting(pack: string, limit: number, below: string | null): Promise<Waiting[]> {
    const ids = await this.#faces.chipSource.visitsWaiting(pack, limit);
    if (ids.length === 0) return this.#open(await this.#store.chips(pack, limit, below));
    const rows = await this.#open(await this.#store.chipsOf(ids));
    const gone = ids.filter((id) => !rows.some((row) => row.id === id));
    return [...rows, ...gone.map((id) => ({ id, ...noPicture }))];
  }

  /** Nothing of a visit is stored but its chip. */
  photo(): Promise<null> {
    return Promise.resolve(null);
  }

  recrop(): Promise<null> {
    return Promise.resolve(null);
  }

  async keep(tx: Tx, packs: Packs, reembedded: readonly Reembedded[]): Promise<number> {
    const { strangers, chipSource } = this.#faces;
    await strangers.lock(tx);
    const kept: Reembedded[] = [];
    for (const row of reembedded) {
      const isGone = row.version === noPicture.version;
      if (!isGone && !(await this.#store.isUnchanged(tx, row.id, row.version))) continue;
      const vector = await this.#sealed(row);
      if (!isGone) await this.#store.keep(tx, row.id, packs, vector);
      kept.push(row);
    }
    await chipSource.keepOfVisits(tx, packs, kept);
    return kept.length;
  }

  tidy(tx: Tx, packs: Parameters<ChipSource['tidy']>[1], limit: number): Promise<number> {
    return this.#store.tidy(tx, packs, limit);
  }

  async #open(rows: readonly SealedChip[]): Promise<Waiting[]> {
    const opened: Waiting[] = [];
    for (const row of rows) {
      const { visit_id: id, identity_id: identityId, version } = row;
      opened.push({ id, identityId, version, chip: await this.#chip(row) });
    }
    return opened;
  }

  /** Null: erased meanwhile, or changed outside the product. */
  async #chip({ visit_id, identity_id, chip, cut_by }: SealedChip): Promise<Chip | null> {
    try {
      const key = await this.#faces.keyOf(identity_id);
      return { jpeg: key.open(chip, chipPlace(visit_id)), cutBy: cut_by };
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Null after erasure, too: the picture is about to go. */
  async #sealed({ id, identityId, vector }: Reembedded): Promise<Buffer | null> {
    if (vector === null) return null;
    try {
      const key = await this.#faces.keyOf(identityId);
      return key.seal(vectorBytes(vector), templatePlace(id));
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}
