/** Alerts as the API answers them: in the reader's words, with the names that this reader may read. */
import type { Alert, AlertDetails, AlertStep } from '@nazar/contract/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import { unknownName } from '@nazar/contract/names.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import { alertWords, type AlertWords } from '#http/sentences.ts';
import type { AssignmentRow, ListedAlert } from './store.ts';

/** Its newest visit as this reader may know it; null: it has none, or it is in no list any more. */
export type NewestVisit = Detection | null;

export function asAlert(row: ListedAlert, visit: NewestVisit, language: Language): Alert {
  const isAboutPeople = row.people !== null;
  return {
    id: row.id,
    kind: row.kind,
    level: row.level,
    status: row.status,
    ...wordsOf(row, visit, language),
    created_at: row.created_at.toISOString(),
    last_at: row.last_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    count: row.count,
    people: row.people,
    camera: row.camera_id,
    camera_name: row.camera_name,
    face_name: isAboutPeople ? (visit?.face_name ?? unknownName) : null,
    visit: visit?.id ?? null,
    image: visit?.image ?? null,
    picture_hidden: visit?.picture_hidden ?? false,
    assigned_to: row.assigned_to,
    assigned_to_name: row.assigned_to_name,
    resolved_by: row.resolved_by,
    resolved_by_name: row.resolved_by_name,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    resolution_notes: row.resolution_notes,
    created_by: null,
    rule: row.rule_id,
  };
}

function wordsOf(row: ListedAlert, visit: NewestVisit, language: Language) {
  const camera = row.camera_name ?? '';
  const name = visit?.face_name ?? unknownName;
  // A mirrored alert has the words of its warning.
  const about = (row.warning_kind ?? row.kind) as AlertWords;
  return alertWords(language, about, { camera, name, people: row.people ?? 0, count: row.count });
}

/** What became of it, the oldest first. */
export function historyOf(row: ListedAlert, assignments: readonly AssignmentRow[]): AlertStep[] {
  const steps: AlertStep[] = [
    { kind: 'raised', at: row.created_at.toISOString(), by: null, to: null },
    ...assignments.map(({ at, assigned_by_name: by, assigned_to_name: to }): AlertStep => ({
      kind: 'assigned',
      at: at.toISOString(),
      by,
      to,
    })),
  ];
  if (row.ended_at) {
    steps.push({ kind: 'over', at: row.ended_at.toISOString(), by: null, to: null });
  }
  if (row.resolved_at && (row.status === 'resolved' || row.status === 'dismissed')) {
    const { status: kind, resolved_by_name: by } = row;
    steps.push({ kind, at: row.resolved_at.toISOString(), by, to: null });
  }
  return steps.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

export const asVisit = ({ id, image, picture_hidden, face_name, timestamp }: Detection) =>
  ({ id, image, picture_hidden, face_name, timestamp }) satisfies AlertDetails['visits'][number];
