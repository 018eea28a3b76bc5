import { settingsRoutes, type SettingsPatch } from '@nazar/contract/settings.ts';
import type { Scope } from '#http/scope.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Settings } from './settings.ts';

/** Whoever sends it proves to be the one who signed in; throws password_wrong. Known to accounts, which come later. */
export type Prove = (scope: Scope, password: string) => Promise<void>;

export function settingsEndpoints(doors: Doors, settings: Settings, prove: Prove): void {
  serve(doors, settingsRoutes.read, ({ scope }) => settings.readable(scope));
  serve(doors, settingsRoutes.update, async ({ scope, body }) => {
    const { password = '', confirm_lock_out, ...sections } = body;
    const patch = sections as SettingsPatch;
    if (settings.demands(scope, patch).password) await prove(scope, password);
    await settings.change(scope, patch, { confirmed: confirm_lock_out });
    return settings.readable(scope);
  });
}
