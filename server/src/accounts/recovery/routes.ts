/** HTTP edge of account recovery, and of the security events of one's account. */
import { recoveryRoutes } from '@nazar/contract/recovery.ts';
import { securityEventRoutes } from '@nazar/contract/security-events.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { clientOf, mustBeSetUp } from '../routes.ts';

export function recoveryEndpoints(api: Api, accounts: Accounts): void {
  const { recovery } = accounts;
  serve(api, recoveryRoutes.ask, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    const language = readerLanguage(raw.headers['accept-language']);
    await recovery.ask(body.email, clientOf(raw), language);
    return { status: 'ok' as const };
  });
  serve(api, securityEventRoutes.list, async ({ scope }) => ({
    results: await accounts.securityEmails.events(scope.userId),
  }));
  serve(api, recoveryRoutes.confirm, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    return { email: await recovery.confirm(body, clientOf(raw)) };
  });
}
