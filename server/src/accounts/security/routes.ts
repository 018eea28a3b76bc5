import { ownSecurityRoutes } from '@nazar/contract/own-security.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { siteOfRequest } from '../routes.ts';

/** HTTP edge of the limits that users set for their own account, and of their keys. */
export function securityEndpoints(api: Api, { security, keys }: Accounts): void {
  serve(api, ownSecurityRoutes.security, ({ scope }) => security.read(scope));
  serve(api, ownSecurityRoutes.updateSecurity, ({ scope, body }) => security.update(scope, body));
  serve(api, ownSecurityRoutes.keys, async ({ scope, query }) => ({
    results: await keys.list(scope, query.user_id),
  }));
  serve(api, ownSecurityRoutes.createKey, ({ scope, body, raw }) =>
    keys.create(scope, body, siteOfRequest(raw)),
  );
  serve(api, ownSecurityRoutes.revokeKey, ({ scope, params }) => keys.revoke(scope, params.id));
  serve(api, ownSecurityRoutes.revokeKeys, ({ scope }) => keys.revokeAll(scope));
}
