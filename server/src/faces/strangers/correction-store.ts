import type { CorrectionKind, UnknownStatus } from '@nazar/contract/unknown-faces.ts';
import type { Tx } from '#db/database.ts';

export interface CorrectionRow {
  readonly id: string;
  readonly kind: CorrectionKind;
  readonly person_id: string | null;
  readonly is_new_person: boolean;
  readonly image_id: string | null;
  readonly created_at: Date;
  readonly undone_at: Date | null;
  /** The account that decided, and the entry of the activity log; null: not kept yet. */
  readonly decided_by: string | null;
  readonly entry_id: string | null;
}

/** How an identity was before. */
export interface CorrectionPart {
  readonly identity_id: string;
  readonly status: UnknownStatus;
  readonly merged_into: string | null;
}

interface Tables {
  correction: CorrectionRow;
  correction_part: CorrectionPart & { readonly correction_id: string };
  faces_v_correction: { id: string; stranger_id: string };
}

/** SQL of corrections; the only writer of those tables. */
export class CorrectionStore {
  async add(tx: Tx, row: CorrectionRow, parts: readonly CorrectionPart[]): Promise<void> {
    const db = tx.as<Tables>();
    await db.insertInto('correction').values(row).execute();
    const rows = parts.map((part) => ({ ...part, correction_id: row.id }));
    await db.insertInto('correction_part').values(rows).execute();
  }

  async setImage(tx: Tx, id: string, imageId: string): Promise<void> {
    const db = tx.as<Tables>();
    await db.updateTable('correction').set({ image_id: imageId }).where('id', '=', id).execute();
  }

  async setDecided(
    tx: Tx,
    id: string,
    by: Pick<CorrectionRow, 'decided_by' | 'entry_id'>,
  ): Promise<void> {
    await tx.as<Tables>().updateTable('correction').set(by).where('id', '=', id).execute();
  }

  /** Returns the newest that was not taken back. */
  async newest(tx: Tx, strangerId: string): Promise<CorrectionRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('correction')
      .selectAll()
      .where('id', '=', (is) =>
        is
          .selectFrom('faces_v_correction')
          .select('id')
          .where('stranger_id', '=', strangerId)
          .orderBy('id', 'desc')
          .limit(1),
      )
      .executeTakeFirst();
    return row ?? null;
  }

  async parts(tx: Tx, id: string): Promise<CorrectionPart[]> {
    return tx
      .as<Tables>()
      .selectFrom('correction_part')
      .select(['identity_id', 'status', 'merged_into'])
      .where('correction_id', '=', id)
      .execute();
  }

  async setUndone(tx: Tx, id: string, at: Date): Promise<void> {
    const db = tx.as<Tables>();
    await db.updateTable('correction').set({ undone_at: at }).where('id', '=', id).execute();
  }
}
