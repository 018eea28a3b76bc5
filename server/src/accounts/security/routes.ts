import { ownSecurityRoutes } from '@nazar/contract/own-security.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { siteOfRequest } from '../routes.ts';

/** What people demand of the use of their own account, and their keys. */
export function securityEndpoints(doors: Doors, { security, keys }: Accounts): void {
  serve(doors, ownSecurityRoutes.security, ({ scope }) => security.read(scope));
  serve(doors, ownSecurityRoutes.updateSecurity, ({ scope, body }) => security.update(scope, body));
  serve(doors, ownSecurityRoutes.keys, async ({ scope, query }) => ({
    results: await keys.list(scope, query.user_id),
  }));
  serve(doors, ownSecurityRoutes.createKey, ({ scope, body, raw }) =>
    keys.create(scope, body, siteOfRequest(raw)),
  );
  serve(doors, ownSecurityRoutes.revokeKey, ({ scope, params }) => keys.revoke(scope, params.id));
  serve(doors, ownSecurityRoutes.revokeKeys, ({ scope }) => keys.revokeAll(scope));
}
