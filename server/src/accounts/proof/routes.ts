/** How the own account can give fresh proof; what it shows comes with the request that needs it. */
import { proofRoutes } from '@nazar/contract/proof.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { siteOfRequest } from '../routes.ts';

export function proofEndpoints(doors: Doors, { proofs }: Accounts): void {
  serve(doors, proofRoutes.ways, ({ scope, raw }) => proofs.ways(scope, siteOfRequest(raw)));
  serve(doors, proofRoutes.passkeyOptions, async ({ scope, raw }) => ({
    options: await proofs.passkeyOptions(scope, siteOfRequest(raw)),
  }));
}
