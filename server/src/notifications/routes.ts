import { notificationRoutes, notificationSettingsRoutes } from '@nazar/contract/notifications.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api, type Request } from '#http/serve.ts';
import type { Notifications } from './notifications.ts';

export function notificationEndpoints(api: Api, { lists, settings }: Notifications): void {
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
}

const languageOf = ({ headers }: Request<typeof notificationRoutes.list>['raw']) =>
  readerLanguage(headers['accept-language']);
