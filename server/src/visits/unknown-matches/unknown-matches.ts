/**
 * Unknown people who have the face of a person: a person seen before they were enrolled is unknown, too, with
 * pictures and a history. They are found by the measure and the limits by which people are named, over the references
 * of unknown people and the visits that belong to no particular person. Nothing is changed here: a user confirms.
 */
import { createHash } from 'node:crypto';
import {
  maxUnknownMatches,
  type UnknownMatch,
  type UnknownMatches,
} from '@nazar/contract/privacy.ts';
import type { Database } from '#db/database.ts';
import {
  isComparable,
  isSame,
  likeness,
  openVectors,
  type Faces,
  type Likeness,
  type Reference,
} from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { Turns } from '#lib/limits/turns.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken } from '#lib/secrets.ts';
import { imageOf } from '../answers.ts';
import type { HiddenPictures } from '../hidden-pictures.ts';
import { templatePlace } from '../pictures.ts';
import {
  UnknownMatchesStore,
  type SeenUnknown,
  type SingleVisit,
} from './unknown-matches-store.ts';

export interface UnknownMatchesOptions {
  readonly db: Database;
  readonly faces: Pick<Faces, 'strangers' | 'vectorsOf' | 'calibrationOf' | 'keysOf'>;
  readonly hidden: HiddenPictures;
  readonly log: Log;
}

/** What is answered, and the identities of each: what an erasure destroys. */
export interface FoundUnknown extends UnknownMatches {
  readonly identitiesOf: ReadonlyMap<string, readonly string[]>;
}

/** Searches of one account at once: a list that is shown, and what was confirmed of another. More are refused. */
const maxOfAccount = 2;
/** A search that waits holds next to nothing; with more accounts than that at once, one is refused. */
const maxWaiting = 100;
/** Visits that are compared at a time, between which others have their turn: some 20 ms on a busy machine. */
const batch = 200;
/** Unknown people that are looked up for each photo: of those who are nearer some may be out of sight. */
const nearest = 4 * maxUnknownMatches;
const firstId = '00000000-0000-0000-0000-000000000000';

type Found = ReadonlyMap<string, Likeness>;

interface Comparison {
  readonly found: Found;
  /** How many unknown people and single visits. */
  readonly compared: number;
  /** Ids of those who have no vector of a pack that has one of the person. */
  readonly others: readonly string[];
}

export class UnknownFinder {
  readonly #options: UnknownMatchesOptions;
  readonly #store: UnknownMatchesStore;
  /** One search at a time, because each walks over every single visit; accounts take turns. */
  readonly #turns = new Turns(1, maxWaiting);
  /** By account, those that wait or run. */
  readonly #ofAccount = new Map<string, number>();

  constructor(options: UnknownMatchesOptions) {
    this.#options = options;
    this.#store = new UnknownMatchesStore(options.db, options.hidden);
  }

  /** Whether the reader may open the person is for the caller to know. Throws too_many_requests, unavailable. */
  async find(scope: Scope, personId: string): Promise<FoundUnknown> {
    const { userId } = scope;
    const before = this.#ofAccount.get(userId) ?? 0;
    if (before >= maxOfAccount) throw new Problem('too_many_requests', { retry_after_s: 2 });
    this.#ofAccount.set(userId, before + 1);
    try {
      return await this.#turns.take(userId, () => this.#find(scope, personId));
    } finally {
      const left = this.#ofAccount.get(userId)! - 1;
      if (left > 0) this.#ofAccount.set(userId, left);
      else this.#ofAccount.delete(userId);
    }
  }

  async #find(scope: Scope, personId: string): Promise<FoundUnknown> {
    const { faces } = this.#options;
    // Without a calibration nothing says what the distances of a pack mean.
    const person = (await faces.vectorsOf(personId)).filter(
      ({ pack }) => faces.calibrationOf(pack) !== null,
    );
    const { found, compared, others } = await this.#compare(person);
    const seen = await this.#store.seen(scope, personId, [...found.keys()]);
    const all = seen
      .map((one) => ({ one, like: found.get(one.id)! }))
      .toSorted(
        (a, b) => b.like.probability - a.like.probability || (a.one.id < b.one.id ? -1 : 1),
      );
    const listed = all.slice(0, maxUnknownMatches);
    const isMore = all.length > listed.length;
    return {
      results: listed.map(({ one, like }) => asMatch(scope, one, like)),
      ...(isMore ? { more: true as const } : {}),
      // Not every reader may know how many there are elsewhere.
      compared: scope.seesAll ? compared : null,
      not_comparable: scope.seesAll ? others.length : await this.#store.countVisible(scope, others),
      all_cameras: scope.seesAll,
      is_comparable: person.length > 0,
      version: versionOf(listed.map(({ one }) => one)),
      identitiesOf: new Map(listed.map(({ one }) => [one.id, one.identity_ids])),
    };
  }

  async #compare(person: readonly Reference[]): Promise<Comparison> {
    if (person.length === 0) return { found: new Map(), compared: 0, others: [] };
    const { db, faces } = this.#options;
    const { strangers } = faces;
    const fields = await db.transaction(async (tx) => {
      await strangers.lock(tx);
      const others = strangers.notComparableBy(new Set(person.map(({ pack }) => pack)));
      const among = strangers.size - others.length;
      return { like: strangers.likeThem(person, among, nearest), among, others };
    });
    const calibrationOf = (pack: string) => faces.calibrationOf(pack);
    const found = new Map(fields.like);
    let { among: compared } = fields;
    const others = [...fields.others];
    for (let after = firstId; ;) {
      const rows = await this.#store.singleVisits(after, batch);
      for (const [row, seen] of await this.#opened(rows)) {
        if (!isComparable(person, seen)) {
          others.push(row.identity_id);
          continue;
        }
        compared += 1;
        const like = likeness({ person, seen, among: fields.among, calibrationOf });
        if (like) found.set(row.identity_id, like);
      }
      if (rows.length < batch) return { found, compared, others };
      after = rows.at(-1)!.visit_id;
    }
  }

  async #opened(rows: readonly SingleVisit[]): Promise<(readonly [SingleVisit, Reference[]])[]> {
    const keys = await this.#options.faces.keysOf(rows.map((row) => row.identity_id));
    return rows.flatMap((row) => {
      const key = keys.get(row.identity_id);
      if (!key) return [];
      try {
        return [[row, openVectors(row, key, templatePlace(row.visit_id))] as const];
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        this.#options.log.error({ err: error, visit: row.visit_id }, 'vector cannot be opened');
        return [];
      }
    });
  }
}

function asMatch(scope: Scope, seen: SeenUnknown, like: Likeness): UnknownMatch {
  return {
    id: seen.id,
    number: seen.number,
    visits: seen.visits,
    first_at: seen.first_at.toISOString(),
    last_at: seen.last_at.toISOString(),
    cameras: [...seen.cameras],
    pictures: seen.pictures.map(imageOf),
    pictures_hidden: seen.pictures_hidden,
    probability: like.probability,
    is_same: isSame(like, seen.quality) && !seen.is_ruled_out,
    may_erase: scope.seesAll || seen.is_own,
  };
}

/** Changes when others are listed, or one of them was seen again, merged or split. */
function versionOf(listed: readonly SeenUnknown[]): string {
  const fields = listed.map(({ id, identity_ids, visits }) => [id, identity_ids, visits]);
  const text = JSON.stringify(fields.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
