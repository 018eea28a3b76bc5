/** The second step of a login, and the second factor of the user's own account. */
import { twoFactorRoutes } from '@nazar/contract/two-factor.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { clientOf, mustBeSetUp, opened, siteOfRequest } from '../routes.ts';

export function twoFactorEndpoints(api: Api, accounts: Accounts): void {
  const { signIn, twoFactor } = accounts;
  serve(api, twoFactorRoutes.login, async ({ body, raw, reply }) => {
    await mustBeSetUp(accounts);
    return opened(raw, reply, await signIn.withSecondFactor(body, clientOf(raw)));
  });
  serve(api, twoFactorRoutes.state, ({ scope }) => twoFactor.state(scope));
  serve(api, twoFactorRoutes.setUp, ({ scope, body, raw }) =>
    twoFactor.setUp(scope, siteOfRequest(raw), body),
  );
  serve(api, twoFactorRoutes.verify, ({ scope, body }) => twoFactor.confirm(scope, body.code));
  serve(api, twoFactorRoutes.disable, ({ scope, body, raw }) =>
    twoFactor.disable(scope, siteOfRequest(raw), body),
  );
  serve(api, twoFactorRoutes.recoveryCodes, ({ scope, body, raw }) =>
    twoFactor.renewRecoveryCodes(scope, siteOfRequest(raw), body),
  );
}
