import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { siteOf } from '#accounts/accounts.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Privacy } from './privacy.ts';

export function privacyEndpoints(api: Api, privacy: Privacy): void {
  serve(api, privacyRoutes.consent, ({ scope, params }) => privacy.consent(scope, params.id));
  serve(api, privacyRoutes.recordConsent, ({ scope, params, body }) =>
    privacy.recordConsent(scope, params.id, body),
  );
  serve(api, privacyRoutes.unknownMatches, ({ scope, params }) =>
    privacy.unknownMatches(scope, params.id),
  );
  serve(api, privacyRoutes.export, async ({ scope, params, body, raw, reply }) => {
    const archive = await privacy.export(
      scope,
      params.id,
      body,
      siteOf(raw.protocol, raw.headers.host),
    );
    void reply.header('content-disposition', `attachment; filename="person-${params.id}.tar"`);
    return archive;
  });
  serve(api, privacyRoutes.removeOld, ({ scope }) => privacy.removeOldNow(scope));
  serve(api, privacyRoutes.erasures, ({ scope, query }) => privacy.list(scope, query));
  serve(api, privacyRoutes.erase, ({ scope, params, body, raw }) =>
    privacy.erase(scope, params.id, body, siteOf(raw.protocol, raw.headers.host)),
  );
  serve(api, privacyRoutes.endedAccounts, async ({ scope }) => ({
    results: await privacy.endedAccounts(scope),
  }));
  serve(api, privacyRoutes.handOver, async ({ scope, params, body }) => ({
    people: await privacy.handOver(scope, params.id, body.to),
  }));
}
