import { notificationRoutes, notificationSettingsRoutes } from '@nazar/contract/notifications.ts';
import { snoozeRoutes } from '@nazar/contract/snoozes.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api, type Request } from '#http/serve.ts';
import type { Notifications } from './notifications.ts';

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
  serve(api, snoozeRoutes.list, async ({ scope }) => ({ results: await snoozes.list(scope) }));
  serve(api, snoozeRoutes.add, ({ scope, body }) => snoozes.add(scope, body));
  serve(api, snoozeRoutes.remove, ({ scope, params }) => snoozes.remove(scope, params.id));
}

const languageOf = ({ headers }: Request<typeof notificationRoutes.list>['raw']) =>
  readerLanguage(headers['accept-language']);
