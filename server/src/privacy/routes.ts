import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { siteOf } from '#accounts/accounts.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Privacy } from './privacy.ts';

export function privacyEndpoints(doors: Doors, privacy: Privacy): void {
  serve(doors, privacyRoutes.consent, ({ scope, params }) => privacy.consent(scope, params.id));
  serve(doors, privacyRoutes.recordConsent, ({ scope, params, body }) =>
    privacy.recordConsent(scope, params.id, body),
  );
  serve(doors, privacyRoutes.export, async ({ scope, params, body, raw, reply }) => {
    const archive = await privacy.export(
      scope,
      params.id,
      body,
      siteOf(raw.protocol, raw.headers.host),
    );
    void reply.header('content-disposition', `attachment; filename="person-${params.id}.tar"`);
    return archive;
  });
  serve(doors, privacyRoutes.removeOld, ({ scope }) => privacy.removeOldNow(scope));
  serve(doors, privacyRoutes.erasures, ({ scope, query }) => privacy.list(scope, query));
  serve(doors, privacyRoutes.erase, ({ scope, params, body, raw }) =>
    privacy.erase(scope, params.id, body, siteOf(raw.protocol, raw.headers.host)),
  );
  serve(doors, privacyRoutes.endedAccounts, async ({ scope }) => ({
    results: await privacy.endedAccounts(scope),
  }));
  serve(doors, privacyRoutes.handOver, async ({ scope, params, body }) => ({
    people: await privacy.handOver(scope, params.id, body.to),
  }));
}
