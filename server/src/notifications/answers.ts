/** Notifications as the API answers them: in the reader's words, with the names that this reader may read today. */
import type { Alert } from '@nazar/contract/alerts.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import type { Notification } from '@nazar/contract/notifications.ts';
import type { Detection } from '@nazar/contract/visits.ts';
import { notificationWords } from '#http/sentences.ts';
import { mailSentence } from '#mail/mail.ts';
import type { ListedNotification } from './store.ts';

/** What it is about as this reader may know it; null: nothing of that, or it is gone. */
export interface About {
  readonly alert: Pick<Alert, 'id' | 'level' | 'title' | 'message'> | null;
  readonly visit: Pick<Detection, 'id' | 'face_name'> | null;
}

export function asNotification(
  row: ListedNotification,
  about: About,
  language: Language,
): Notification {
  const isOfAlerts = row.kind === 'alert' || row.kind === 'known_person';
  return {
    id: row.id,
    type: isOfAlerts ? 'alert' : 'system',
    kind: row.kind,
    level: about.alert?.level ?? null,
    ...wordsOf(row, about, language),
    is_read: row.read_at !== null,
    created_at: row.created_at.toISOString(),
    alert: about.alert?.id ?? null,
    visit: about.visit?.id ?? null,
    export: row.has_export ? row.export_id : null,
  };
}

function wordsOf(
  { kind, event, camera_name: camera }: ListedNotification,
  { alert, visit }: About,
  language: Language,
): { readonly title: string; readonly message: string } {
  if (kind === 'account') {
    const title = event ? mailSentence(language, `alert.kinds.${event}`) : '';
    return { title, message: mailSentence(language, 'alert.notYou') };
  }
  // An alert that was removed after the list was read.
  if (kind === 'alert') return { title: alert?.title ?? '', message: alert?.message ?? '' };
  return notificationWords(language, kind, { camera, name: visit?.face_name ?? hiddenName });
}
