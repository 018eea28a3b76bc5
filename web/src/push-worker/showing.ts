/** Shows a message. Browsers demand that each one shows something, also one that cannot be read. */
import { pushRoutes, type PushMessage } from '@nazar/contract/push.ts';
import { fetched } from './fetched.ts';
import type { PushEvent, WorkerNotificationOptions, WorkerScope } from './scope.ts';

const icon = '/icon-192.png';
/** One colour on nothing: Android shows it in the bar above the page. */
const badge = '/badge-96.png';
const maxPictureBytes = 1024 * 1024;

/** What a press finds again. */
export interface Pressable {
  readonly path: string;
  readonly language: string;
  readonly ticket: string | null;
}

export async function show(scope: WorkerScope, { data }: PushEvent): Promise<void> {
  const message = messageOf(data);
  if (message === null) {
    const pressable: Pressable = { path: '/notifications', language: 'en', ticket: null };
    await scope.registration.showNotification('Nazar', { icon, badge, data: pressable });
    return;
  }
  const image = message.has_picture ? await pictureOf(message) : null;
  await scope.registration.showNotification(message.title, optionsOf(message, image));
}

function messageOf(data: PushEvent['data']): PushMessage | null {
  try {
    const message = JSON.parse(data?.text() ?? '') as PushMessage;
    return typeof message.title === 'string' && typeof message.tag === 'string' ? message : null;
  } catch {
    return null;
  }
}

function optionsOf(message: PushMessage, image: string | null): WorkerNotificationOptions {
  const { tag, body, language, at, path, level, actions, ticket } = message;
  const pressable: Pressable = { path, language, ticket };
  return {
    tag,
    // The all-clear comes under the tag of what is over, and is news as well.
    renotify: true,
    body,
    lang: language,
    timestamp: Date.parse(at),
    icon,
    badge,
    requireInteraction: level === 'critical' && !message.is_over,
    actions,
    data: pressable,
    ...(image !== null && { image }),
  };
}

/** As an address that needs no rights: a notification can show no other. Null: the message is shown without. */
async function pictureOf({ ticket, language }: PushMessage): Promise<string | null> {
  const answer = await fetched(pushRoutes.picture, { ticket }, language);
  if (!answer?.ok || answer.headers.get('content-type') !== 'image/jpeg') return null;
  const bytes = await answer.bytes().catch(() => null);
  if (bytes === null || bytes.length > maxPictureBytes) return null;
  // In parts: an argument for each byte of a picture is too many.
  const parts = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, nth) =>
    String.fromCharCode(...bytes.subarray(nth * 8192, (nth + 1) * 8192)),
  );
  return `data:image/jpeg;base64,${btoa(parts.join(''))}`;
}
