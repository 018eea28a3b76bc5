import { Id } from '@nazar/contract/fields.ts';
import { notificationRoutes, notificationSettingsRoutes } from '@nazar/contract/notifications.ts';
import { snoozeRoutes } from '@nazar/contract/snoozes.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api, type Request } from '#http/serve.ts';
import type { Notifications, NotificationStreams } from './notifications.ts';

export function notificationEndpoints(api: Api, notifications: Notifications): void {
  const { lists, settings, snoozes } = notifications;
  serve(api, notificationRoutes.list, ({ scope, query, raw }) =>
    lists.list(scope, query, languageOf(raw)),
  );
  serve(api, notificationRoutes.unreadCount, ({ scope }) => lists.unreadCount(scope));
  serve(api, notificationRoutes.read, ({ scope, params, raw }) =>
    lists.read(scope, params.id, languageOf(raw)),
  );
  serve(api, notificationRoutes.markAsRead, ({ scope, body }) =>
    lists.markRead(scope, 'all' in body ? null : body.notification_ids),
  );
  serve(api, notificationRoutes.remove, ({ scope, params }) => lists.remove(scope, params.id));
  serve(api, notificationSettingsRoutes.read, ({ scope }) => settings.of(scope));
  serve(api, notificationSettingsRoutes.change, ({ scope, body }) => settings.change(scope, body));
  serve(api, notificationSettingsRoutes.confirmAddress, ({ scope, body }) =>
    settings.confirmAddress(scope, body.code),
  );
  serve(api, notificationSettingsRoutes.sendCode, ({ scope }) => settings.sendCode(scope));
  serve(api, snoozeRoutes.list, async ({ scope }) => ({ results: await snoozes.list(scope) }));
  serve(api, snoozeRoutes.add, ({ scope, body }) => snoozes.add(scope, body));
  serve(api, snoozeRoutes.remove, ({ scope, params }) => snoozes.remove(scope, params.id));
}

export function notificationStreamEndpoint(api: Api, streams: NotificationStreams): void {
  serve(api, notificationRoutes.stream, async ({ scope, query, raw, reply }) => {
    const lastId = query.last_event_id ?? lastEventIdOf(raw);
    const reader = await streams.open(scope, { language: languageOf(raw), lastId });
    api.answers?.watch(reply, scope, (now) => streams.follow(reader, now));
    // nginx would keep events back until it has a page of them.
    void reply.header('x-accel-buffering', 'no');
    return reader.events;
  });
}

/** Null: it names none. What is no id is none of ours. */
function lastEventIdOf({ headers }: StreamRequest): string | null {
  const { data = null } = Id.safeParse(headers['last-event-id']);
  return data;
}

type StreamRequest = Request<typeof notificationRoutes.stream>['raw'];

const languageOf = ({ headers }: Request<typeof notificationRoutes.list>['raw']) =>
  readerLanguage(headers['accept-language']);
