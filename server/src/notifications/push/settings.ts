/** What push messages say, for all users; administrators choose it. */
import type { PushSettings as Answer } from '@nazar/contract/push.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { PushSettingsStore } from './settings-store.ts';

export interface PushSettingsOptions {
  readonly settings: PushSettingsStore;
  readonly activity: Pick<Activity, 'record'>;
}

export class PushSettings {
  readonly #options: PushSettingsOptions;

  constructor(options: PushSettingsOptions) {
    this.#options = options;
  }

  async read(): Promise<Answer> {
    return { content: await this.#options.settings.content() };
  }

  async change(scope: Scope, { content }: Answer): Promise<Answer> {
    const { settings, activity } = this.#options;
    await settings.transaction(async (tx) => {
      await settings.changeContent(tx, content);
      await activity.record(tx, {
        actor: scope,
        action: 'push.changed',
        object: null,
        details: { content },
      });
    });
    return this.read();
  }
}
