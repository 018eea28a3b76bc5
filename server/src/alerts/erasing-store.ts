import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** SQL of erasing what users noted. */
export class AlertErasingStore {
  async removeNotesAbout(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    if (identityIds.length === 0) return 0;
    const ids = [...identityIds];
    // Visits leave an alert by age, whose subject still is the watched person.
    const { numAffectedRows = 0n } = await sql`
      delete from alert_note where alert_id in (
        select note.alert_id from alert_note note join alert on alert.id = note.alert_id
         where exists (select from alert_visit counted
                        where counted.alert_id = note.alert_id and counted.identity_id = any(${ids}::uuid[]))
            or alert.kind = 'watched_person' and split_part(alert.subject, ' ', 2) = any(${ids}::text[])
         limit ${limit})`.execute(tx.as());
    return Number(numAffectedRows);
  }

  async removeNotesOf(tx: Tx, userId: string, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from alert_note where alert_id in (
        select note.alert_id from alert_note note join alert on alert.id = note.alert_id
         where alert.resolved_by = ${userId} limit ${limit})`.execute(tx.as());
    return Number(numAffectedRows);
  }
}
