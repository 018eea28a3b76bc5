/** What becomes of a press: the page that it leads to, or an action, whose refusal is shown in its place. */
import { pushRoutes } from '@nazar/contract/push.ts';
import sentences from 'virtual:push-sentences';
import { fetched } from './fetched.ts';
import type { ClickEvent, WorkerScope } from './scope.ts';
import type { Pressable } from './showing.ts';

const nowhere: Pressable = { path: '/', language: 'en', ticket: null };

export async function press(
  scope: WorkerScope,
  { notification, action }: ClickEvent,
): Promise<void> {
  notification.close();
  const pressed = (notification.data as Pressable | null) ?? nowhere;
  if (action === '' || pressed.ticket === null) return openPage(scope, pressed.path);
  const { language, ticket } = pressed;
  const answer = await fetched(pushRoutes.act, { ticket, action }, language);
  if (answer?.ok) return;
  const said = (answer && (await sentenceOf(answer))) ?? sentenceIn(language);
  await scope.registration.showNotification(said, {
    tag: notification.tag,
    lang: language,
    icon: '/icon-192.png',
    data: { ...pressed, ticket: null } satisfies Pressable,
  });
}

/** A window of ours that is open is used; one that shows the page already only comes forward. */
async function openPage(scope: WorkerScope, path: string): Promise<void> {
  const url = new URL(path, scope.location.origin).href;
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find((one) => one.url === url) ?? windows[0];
  if (open === undefined) {
    await scope.clients.openWindow(url);
    return;
  }
  const focused = await open.focus();
  if (focused.url !== url) await focused.navigate(url);
}

async function sentenceOf(answer: Response): Promise<string | null> {
  const said: unknown = await answer.json().catch(() => null);
  const detail = (said as { detail?: unknown } | null)?.detail;
  return typeof detail === 'string' ? detail : null;
}

const sentenceIn = (language: string): string =>
  (sentences[language] ?? sentences['en']!)['push.actionFailed'];
