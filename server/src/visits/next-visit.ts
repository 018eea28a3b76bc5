/**
 * Begins the next visit of someone who stays for longer than a visit lasts (`longestVisitMs`): it follows the one
 * before at once, belongs to the same identity, and has its picture, sealed again, until a better one comes.
 */
import type { Database, Tx } from '#db/database.ts';
import type { Faces, Identity } from '#faces/faces.ts';
import { SealBroken } from '#lib/secrets.ts';
import { asReference, sealPicture, type Pictures } from './pictures.ts';
import { longestVisitMs } from './recent-visits.ts';
import { notRecognized, type RecognizedAs, type VisitRow, type VisitStore } from './store.ts';

/** A visit that has reached its end while its person stays. */
export interface LongVisit {
  readonly id: string;
  readonly cameraId: string;
  readonly identityId: string;
  readonly startedAtMs: number;
  readonly quality: number;
}

export interface NextVisit {
  /** Made by the writer when it decided, so that repeating is harmless. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface NextVisitsOptions {
  readonly db: Database;
  readonly store: VisitStore;
  readonly faces: Faces;
  readonly pictures: Pictures;
  /** Called where a visit lands outside of all months that were made. */
  readonly isOutside: (row: VisitRow) => void;
}

export class NextVisits {
  readonly #options: NextVisitsOptions;

  constructor(options: NextVisitsOptions) {
    this.#options = options;
  }

  /** Returns the identity that the visit has; null: the person was erased, and nothing more is written. */
  begin(before: LongVisit, next: NextVisit): Promise<string | null> {
    return this.#options.db.transaction((tx) => this.#begin(tx, before, next));
  }

  async #begin(tx: Tx, before: LongVisit, next: NextVisit): Promise<string | null> {
    const { store, faces, pictures } = this.#options;
    // Under the lock, so that no other code names, merges or splits them meanwhile.
    await faces.strangers.lock(tx);
    const place = { id: before.id, started_at: new Date(before.startedAtMs) };
    const ended = await store.extend(tx, place, {
      ended_at: new Date(before.startedAtMs + longestVisitMs),
      confidence: null,
      ...notRecognized,
    });
    const identityId = ended?.identity_id ?? before.identityId;
    const row = asRow(before, next, {
      ...notRecognized,
      confidence: null,
      ...ended,
      identity_id: identityId,
    });
    // Repeated, because the answer to the commit was lost.
    const written = await store.locked(tx, row);
    if (written) return written.identity_id;
    const identity = await this.#identityOf(tx, row.identity_id);
    if (!identity) return null;
    const kept = await pictures.open(before.id);
    const sealed = kept && sealPicture(next.id, identity, kept);
    const picture = sealed && { visit_id: next.id, identity_id: identity.id, ...sealed };
    if (await store.add(tx, row, picture)) this.#options.isOutside(row);
    if (kept && faces.personOf(identity.id) === null) {
      await faces.strangers.refer(tx, identity, asReference(row, kept));
    }
    return identity.id;
  }

  async #identityOf(tx: Tx, id: string): Promise<Identity | null> {
    const { faces } = this.#options;
    if (await faces.erasing.isErased(tx, id)) return null;
    try {
      return { id, key: await faces.keyOf(id) };
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

/** What recognition said of the visit before holds for the next. */
const asRow = (
  before: LongVisit,
  next: NextVisit,
  {
    identity_id,
    confidence,
    recognized_as,
    recognized_at,
    recognized_by,
  }: Pick<VisitRow, 'identity_id' | 'confidence'> & RecognizedAs,
): VisitRow => ({
  id: next.id,
  camera_id: before.cameraId,
  identity_id,
  started_at: new Date(next.startedAtMs),
  ended_at: new Date(next.endedAtMs),
  confidence,
  quality: before.quality,
  deleted_at: null,
  recognized_as,
  recognized_at,
  recognized_by,
});
