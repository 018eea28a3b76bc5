/**
 * A stranger becomes a person, and is unknown again when that is taken back: with the photo that the person got by
 * it, and with the person, if they were added for it and nothing else is stored of them.
 */
import type { Clock } from '#lib/clock.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Corrections, CorrectionRow } from './corrections.ts';
import { keepPhoto, maxImages, type ReadPhoto } from '../photos/enrolment.ts';
import type { FaceErasing } from '../erasing/erasing.ts';
import { changedChannel } from '../erasing/erasing-store.ts';
import type { Identities } from '../identities.ts';
import type { IdentityStore } from '../identity-store.ts';
import type { PersonStore } from '../person-store.ts';
import type { Quotas } from '../photos/quotas.ts';

export interface NamingOptions {
  readonly db: Pick<Database, 'notify'>;
  readonly persons: PersonStore;
  readonly identities: Identities;
  readonly identityStore: IdentityStore;
  readonly corrections: Corrections;
  readonly quotas: Quotas;
  readonly erasing: FaceErasing;
  readonly clock: Clock;
}

/** A stranger and the best picture of them. */
export interface NamedStranger {
  readonly identityId: string;
  /** Null: none is stored any more. */
  readonly photo: ReadPhoto | null;
}

export class Naming {
  readonly #options: NamingOptions;

  constructor(options: NamingOptions) {
    this.#options = options;
  }

  /**
   * Called under the lock of strangers. The picture becomes a photo if there is room, sealed under the stranger's
   * key: what is recognised by it is the stranger's again when the name is taken back. False: they are named already.
   */
  async name(
    tx: Tx,
    scope: Scope,
    { identityId, photo }: NamedStranger,
    as: { readonly personId: string; readonly isNew: boolean },
  ): Promise<boolean> {
    const { db, corrections, persons, identities, identityStore, clock } = this.#options;
    const correction = await corrections.name(tx, identityId, as);
    if (correction === null) return false;
    if (photo && (await this.#hasRoomFor(tx, scope, photo, as))) {
      const identity = { id: identityId, key: await identities.keyOf(identityId) };
      const stores = { persons, identities: identityStore, clock };
      const imageId = await keepPhoto(tx, stores, as.personId, identity, photo);
      await corrections.setImage(tx, correction, imageId);
    }
    await db.notify(tx, changedChannel, identityId);
    return true;
  }

  /** Room with the person and with the account. A new person was admitted with this photo. */
  async #hasRoomFor(
    tx: Tx,
    scope: Scope,
    photo: ReadPhoto,
    { personId, isNew }: { readonly personId: string; readonly isNew: boolean },
  ): Promise<boolean> {
    const { persons, quotas } = this.#options;
    if (isNew) return true;
    const kept = await persons.countImages(tx, personId);
    return kept < maxImages && quotas.hasRoomFor(tx, scope, photo);
  }

  /** Takes the name back; returns the identities whose references changed. */
  async unname(
    tx: Tx,
    correction: CorrectionRow & { readonly person_id: string },
  ): Promise<Unnamed> {
    const { db, corrections, persons, identities, identityStore, erasing } = this.#options;
    const { person_id: personId, image_id } = correction;
    if (image_id !== null) await persons.removeImage(tx, personId, image_id);
    const identityIds = await corrections.unname(tx, correction);
    for (const id of identityIds) await db.notify(tx, changedChannel, id);
    // Every person needs an identity: erasing them goes by it.
    if (!(await identityStore.hasIdentity(tx, personId))) await identities.create(tx, personId);
    const isLeft = !correction.is_new_person || (await persons.countImages(tx, personId)) > 0;
    if (!isLeft) await erasing.person(tx, personId);
    return { identityIds, isPersonLeft: isLeft };
  }
}

export interface Unnamed {
  readonly identityIds: readonly string[];
  readonly isPersonLeft: boolean;
}
