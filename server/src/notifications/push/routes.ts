import { pushRoutes, pushSettingsRoutes } from '@nazar/contract/push.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Notifications } from '../notifications.ts';

export function pushEndpoints(api: Api, { push }: Notifications): void {
  const { devices, settings, actions } = push;
  serve(api, pushRoutes.read, ({ scope }) => devices.state(scope));
  serve(api, pushRoutes.add, ({ scope, body }) => devices.add(scope, body));
  serve(api, pushRoutes.remove, ({ scope, params }) => devices.remove(scope, params.id));
  serve(api, pushRoutes.test, ({ scope, params }) => devices.test(scope, params.id));
  serve(api, pushRoutes.act, ({ body }) => actions.act(body.ticket, body.action));
  serve(api, pushRoutes.picture, ({ body }) => actions.picture(body.ticket));
  serve(api, pushSettingsRoutes.read, () => settings.read());
  serve(api, pushSettingsRoutes.change, ({ scope, body }) => settings.change(scope, body));
}
