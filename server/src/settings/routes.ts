import type { FastifyRequest } from 'fastify';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { settingsRoutes, type SettingsPatch } from '@nazar/contract/settings.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Settings } from './settings.ts';

/** Whoever sends it proves to be the one who signed in; throws proof_required. Known to accounts, which come later. */
export type Prove = (scope: Scope, proof: FreshProof, raw: FastifyRequest) => Promise<unknown>;

export function settingsEndpoints(doors: Doors, settings: Settings, prove: Prove): void {
  serve(doors, settingsRoutes.read, ({ scope }) => settings.readable(scope));
  serve(doors, settingsRoutes.update, async ({ scope, body, raw }) => {
    const { password, passkey, confirm_lock_out, ...sections } = body;
    const patch = sections as SettingsPatch;
    if (settings.demands(scope, patch).proof) await prove(scope, { password, passkey }, raw);
    await settings.change(scope, patch, { confirmed: confirm_lock_out });
    return settings.readable(scope);
  });
}
