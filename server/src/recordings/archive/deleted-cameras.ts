/** Cameras that are deleted while recordings of them are kept: only administrators reach these still. */
import type { DeletedCamera } from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import type { DeletedStore } from './deleted-store.ts';

export class DeletedCameras {
  readonly #store: DeletedStore;

  constructor(store: DeletedStore) {
    this.#store = store;
  }

  async list(scope: Scope): Promise<DeletedCamera[]> {
    const rows = await this.#store.list(scope);
    return rows.map(({ deleted_at, started_at, ended_at, ...camera }) => ({
      ...camera,
      deleted_at: deleted_at.toISOString(),
      from: started_at.toISOString(),
      until: ended_at.toISOString(),
    }));
  }
}
