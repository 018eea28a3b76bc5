/**
 * How much one account may enrol: without a bound, anyone who may add people could fill the disk, and the
 * memory of the gallery. Administrators have no bound: they enrol on behalf of everyone, see and delete what any user
 * enrolled, and set these limits themselves; the disk bounds them.
 */
import type { RecognitionSettings } from '@nazar/contract/settings.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { ReadPhoto } from './enrolment.ts';
import type { Held, QuotaStore } from './quota-store.ts';

export type AccountLimits = Pick<
  RecognitionSettings,
  'peoplePerAccount' | 'photosPerAccount' | 'photoGiBPerAccount'
>;

const gib = 1024 ** 3;

export interface QuotasOptions {
  readonly store: Pick<QuotaStore, 'of' | 'lock'>;
  /** The limits as they are set now; absent: there are none. */
  readonly limits?: (() => Promise<AccountLimits>) | undefined;
}

export class Quotas {
  readonly #options: QuotasOptions;

  constructor(options: QuotasOptions) {
    this.#options = options;
  }

  /**
   * Called before photos are checked, when their size is not known yet. Throws people_too_many, photos_too_many and
   * photo_storage_full.
   */
  async foresee(scope: Scope, people: number, photos: number): Promise<void> {
    const limits = await this.#limitsOf(scope);
    if (!limits) return;
    const held = await this.#options.store.of(scope.userId);
    refuse(exceeded(limits, held, { people, photos, bytes: 0 }));
  }

  /**
   * Called in the transaction that adds them; what others add to this account waits for its end. Throws as `foresee`
   * does.
   */
  async ensure(tx: Tx, scope: Scope, people: number, photos: readonly ReadPhoto[]): Promise<void> {
    const limits = await this.#limitsOf(scope);
    if (!limits) return;
    const held = await this.#options.store.lock(tx, scope.userId);
    refuse(exceeded(limits, held, { people, photos: photos.length, bytes: sizeOf(photos) }));
  }

  /** Whether `ensure` would let this photo in. */
  async hasRoomFor(tx: Tx, scope: Scope, photo: ReadPhoto): Promise<boolean> {
    const limits = await this.#limitsOf(scope);
    if (!limits) return true;
    const held = await this.#options.store.lock(tx, scope.userId);
    return exceeded(limits, held, { people: 0, photos: 1, bytes: sizeOf([photo]) }) === null;
  }

  async #limitsOf(scope: Scope): Promise<AccountLimits | null> {
    return scope.seesAll ? null : ((await this.#options.limits?.()) ?? null);
  }
}

const sizeOf = (photos: readonly ReadPhoto[]): number =>
  photos.reduce((sum, { photo, thumbnail }) => sum + photo.length + thumbnail.length, 0);

/** An account that holds more than a lowered limit keeps what it has, and may change it. */
function exceeded(limits: AccountLimits, held: Held, added: Held): Problem | null {
  const { peoplePerAccount, photosPerAccount, photoGiBPerAccount } = limits;
  const isOver = (what: keyof Held, max: number): boolean =>
    added[what] > 0 && held[what] + added[what] > max;
  if (isOver('people', peoplePerAccount)) {
    return new Problem('people_too_many', { max: peoplePerAccount });
  }
  if (isOver('photos', photosPerAccount)) {
    return new Problem('photos_too_many', { max: photosPerAccount });
  }
  // A full account refuses before the size of what comes is known.
  const isFull = added.photos > 0 && held.bytes >= photoGiBPerAccount * gib;
  if (isFull || isOver('bytes', photoGiBPerAccount * gib)) {
    return new Problem('photo_storage_full', { max: photoGiBPerAccount });
  }
  return null;
}

function refuse(problem: Problem | null): void {
  if (problem) throw problem;
}
