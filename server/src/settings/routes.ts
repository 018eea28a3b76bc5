import { settingsRoutes, type SettingsPatch } from '@nazar/contract/settings.ts';
import type { Prove } from '#http/prove.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Settings } from './settings.ts';

export function settingsEndpoints(api: Api, settings: Settings, prove: Prove): void {
  serve(api, settingsRoutes.read, ({ scope }) => settings.readable(scope));
  serve(api, settingsRoutes.update, async ({ scope, body, raw }) => {
    const { password, passkey, confirm_lock_out, confirm_attributes, ...sections } = body;
    const patch = sections as SettingsPatch;
    if (settings.demands(scope, patch).proof) await prove(scope, { password, passkey }, raw);
    const known = { confirmed: confirm_lock_out, attributes: confirm_attributes };
    await settings.change(scope, patch, known);
    return settings.readable(scope);
  });
}
