import { settingsRoutes, type SettingsPatch } from '@nazar/contract/settings.ts';
import type { Prove } from '#http/prove.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Settings } from './settings.ts';

export function settingsEndpoints(api: Api, settings: Settings, prove: Prove): void {
  serve(api, settingsRoutes.read, ({ scope }) => settings.readable(scope));
  serve(api, settingsRoutes.update, async ({ scope, body, raw }) => {
    const { password, passkey, confirm_lock_out, ...sections } = body;
    const patch = sections as SettingsPatch;
    if (settings.demands(scope, patch).proof) await prove(scope, { password, passkey }, raw);
    await settings.change(scope, patch, { confirmed: confirm_lock_out });
    return settings.readable(scope);
  });
}
