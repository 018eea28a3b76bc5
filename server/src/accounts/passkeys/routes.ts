/** Passkeys: signing in with one, the second step of a login, and the passkeys of an account of one's own. */
import { passkeyRoutes } from '@nazar/contract/passkeys.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { clientOf, mustBeSetUp, opened, siteOfRequest } from '../routes.ts';
import { forSignIn } from './passkeys.ts';
import { mustHaveName } from '../site.ts';

export function passkeyEndpoints(api: Api, accounts: Accounts): void {
  const { signIn, passkeys, ownPasskeys } = accounts;
  serve(api, passkeyRoutes.loginOptions, async ({ raw }) => {
    await mustBeSetUp(accounts);
    return { options: await passkeys.proofOptions(forSignIn, mustHaveName(siteOfRequest(raw))) };
  });
  serve(api, passkeyRoutes.login, async ({ body, raw, reply }) => {
    await mustBeSetUp(accounts);
    return opened(raw, reply, await signIn.withPasskey(body, clientOf(raw)));
  });
  serve(api, passkeyRoutes.secondStepOptions, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    return { options: await signIn.secondStepOptions(body.challenge, clientOf(raw)) };
  });
  serve(api, passkeyRoutes.list, async ({ scope }) => ({
    results: await ownPasskeys.list(scope.userId),
  }));
  serve(api, passkeyRoutes.addOptions, async ({ scope, body, raw }) => ({
    options: await ownPasskeys.addOptions(scope, mustHaveName(siteOfRequest(raw)), body),
  }));
  serve(api, passkeyRoutes.add, ({ scope, body, raw }) =>
    ownPasskeys.add(scope, mustHaveName(siteOfRequest(raw)), body),
  );
  serve(api, passkeyRoutes.rename, ({ scope, params, body }) =>
    ownPasskeys.rename(scope, params.id, body.name),
  );
  serve(api, passkeyRoutes.remove, ({ scope, params, body, raw }) =>
    ownPasskeys.remove(scope, siteOfRequest(raw), params.id, body),
  );
}
