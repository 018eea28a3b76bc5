/** The ways to give fresh proof for one's own account; the proof itself comes with the request that needs it. */
import { proofRoutes } from '@nazar/contract/proof.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { siteOfRequest } from '../routes.ts';

export function proofEndpoints(api: Api, { proofs }: Accounts): void {
  serve(api, proofRoutes.ways, ({ scope, raw }) => proofs.ways(scope, siteOfRequest(raw)));
  serve(api, proofRoutes.passkeyOptions, async ({ scope, raw }) => ({
    options: await proofs.passkeyOptions(scope, siteOfRequest(raw)),
  }));
}
