/**
 * Strangers as people look after them: who they are, how far somebody is with them. What is done to a stranger
 * is done to all their visits, so only who may see all the cameras that saw them does it.
 */
import type {
  UnknownFace,
  UnknownFaceQuery,
  UnknownStatus,
} from '@nazar/contract/unknown-faces.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { imageOf } from './answers.ts';
import { UnknownFaceStore, type ListedStranger } from './unknown-face-store.ts';

export interface UnknownFacesOptions {
  readonly db: Database;
  readonly faces: Faces;
  readonly activity: Activity;
}

export class UnknownFaces {
  readonly #db: Database;
  readonly #store: UnknownFaceStore;
  readonly #faces: Faces;
  readonly #activity: Activity;

  constructor({ db, faces, activity }: UnknownFacesOptions) {
    this.#db = db;
    this.#store = new UnknownFaceStore(db);
    this.#faces = faces;
    this.#activity = activity;
  }

  async list(
    scope: Scope,
    query: UnknownFaceQuery,
  ): Promise<{ count: number; results: UnknownFace[] }> {
    const { count, rows } = await this.#store.list(scope, query);
    return { count, results: rows.map((row) => asUnknownFace(scope, row)) };
  }

  /** Throws unknown_face_not_found. */
  async read(scope: Scope, id: string): Promise<UnknownFace> {
    const row = await this.#store.find(scope, id);
    if (!row) throw new Problem('unknown_face_not_found');
    return asUnknownFace(scope, row);
  }

  /** Throws unknown_face_not_found, unknown_face_seen_elsewhere, unknown_face_named. */
  async updateStatus(scope: Scope, id: string, status: UnknownStatus): Promise<UnknownFace> {
    await this.mustReach(scope, id);
    await this.#db.transaction(async (tx) => {
      const before = await this.#faces.strangers.setStatus(tx, id, status);
      if (before === null) throw new Problem('unknown_face_named');
      if (before !== status) await this.#record(tx, scope, id, { status });
    });
    return this.read(scope, id);
  }

  /** Whether cameras that this reader may not see saw them too. */
  isSeenElsewhere(scope: Scope, identityId: string): Promise<boolean> {
    return this.#store.isSeenElsewhere(scope, identityId);
  }

  /** Throws unknown_face_not_found, unknown_face_seen_elsewhere. */
  async mustReach(scope: Scope, id: string): Promise<void> {
    await this.read(scope, id);
    if (await this.isSeenElsewhere(scope, id)) throw new Problem('unknown_face_seen_elsewhere');
  }

  #record(tx: Tx, actor: Scope, id: string, details: { status: string }): Promise<void> {
    const object = { type: 'unknown_face', id } as const;
    const action = 'face.unknown_status_changed';
    return this.#activity.record(tx, { actor, action, object, details });
  }
}

function asUnknownFace(scope: Scope, row: ListedStranger): UnknownFace {
  const mayOpen = scope.seesAll || row.person_added_by === scope.userId;
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    image: row.has_picture ? imageOf(row.sighting_id) : null,
    camera: row.camera_id,
    camera_name: row.camera_name,
    timestamp: row.last_at.toISOString(),
    first_seen: row.first_at.toISOString(),
    confidence: row.quality,
    face: mayOpen ? row.person_id : null,
    count: row.visits,
  };
}
