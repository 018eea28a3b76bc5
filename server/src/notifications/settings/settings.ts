/** A user's own settings of notifications: which events reach them, and how. */
import type {
  NotificationSettings as Answer,
  NotificationSettingsChange,
} from '@nazar/contract/notifications.ts';
import { addedIds, mustSeeAdded, type Cameras } from '#cameras/cameras.ts';
import type { Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { Mail } from '#mail/mail.ts';
import type { PushDevices } from '../push/devices.ts';
import type { OtherAddress } from './other-address.ts';
import type { WishesStore } from './settings-store.ts';
import type { Wishes } from './wishes.ts';

export interface NotificationSettingsOptions {
  readonly store: WishesStore;
  readonly cameras: Pick<Cameras, 'visibleAmong'>;
  readonly faces: Pick<Faces, 'listNames'>;
  readonly mail: Pick<Mail, 'isAvailable'>;
  readonly devices: Pick<PushDevices, 'reach'>;
  readonly address: OtherAddress;
}

export class NotificationSettings {
  readonly #options: NotificationSettingsOptions;

  constructor(options: NotificationSettingsOptions) {
    this.#options = options;
  }

  async of(scope: Scope): Promise<Answer> {
    return this.#answer(scope, await this.#options.store.of(scope.userId));
  }

  /**
   * Throws, each at its field, camera_not_found and face_not_found for what the user may not open,
   * notification_channel_unavailable, and notification_codes_too_many for an address that is not the account's.
   */
  async change(scope: Scope, change: NotificationSettingsChange): Promise<Answer> {
    await this.#mustReach(scope, change);
    const after = await this.#options.store.change(scope.userId, async (before, tx) => {
      const wishes = changed(before, change);
      await this.#mustSee(scope, before, wishes);
      const address = await this.#options.address.change(tx, scope, before, change);
      return { ...wishes, ...address };
    });
    return this.#answer(scope, after);
  }

  async #mustReach(scope: Scope, { push, sms }: NotificationSettingsChange): Promise<void> {
    const { devices } = this.#options;
    const field = sms ? 'sms' : push && !(await devices.reach(scope.userId)) ? 'push' : null;
    if (field !== null) throw new Problem('notification_channel_unavailable', { field });
  }

  /** Throws notification_address_not_pending; at its field, notification_code_wrong and notification_code_ended. */
  async confirmAddress(scope: Scope, code: string): Promise<Answer> {
    await this.#options.address.confirm(scope, code);
    return this.of(scope);
  }

  /** Throws notification_address_not_pending, notification_channel_unavailable and notification_codes_too_many. */
  sendCode(scope: Scope): Promise<void> {
    return this.#options.address.sendAgain(scope);
  }

  /** What was chosen before stays, even if the user may no longer open it. */
  async #mustSee(scope: Scope, before: Wishes, after: Wishes): Promise<void> {
    const { cameras, faces } = this.#options;
    await mustSeeAdded(cameras, scope, after.cameras, before.cameras);
    const newPeople = addedIds(after.muted_people, before.muted_people);
    if (newPeople.length === 0) return;
    const known = new Set((await faces.listNames(scope)).map(({ id }) => id));
    if (newPeople.some((id) => !known.has(id))) {
      throw new Problem('face_not_found', { field: 'muted_people' });
    }
  }

  async #answer(scope: Scope, wishes: Wishes): Promise<Answer> {
    const { mail, devices } = this.#options;
    // The address of the account may have become this one.
    const address = wishes.address === scope.email ? null : wishes.address;
    return {
      email: wishes.email,
      push: wishes.push,
      sms: wishes.sms,
      emailAddress: address,
      notifyOnUnknown: wishes.notify_on_unknown,
      notifyOnKnown: wishes.notify_on_known,
      dailyReports: wishes.daily_reports,
      alert_levels: [...wishes.alert_levels],
      cameras: wishes.cameras && [...wishes.cameras],
      muted_people: [...wishes.muted_people],
      quiet_from: wishes.quiet_from,
      quiet_to: wishes.quiet_to,
      quiet_days: [...wishes.quiet_days],
      email_confirmed: address === null || wishes.address_confirmed,
      available: {
        email: mail.isAvailable,
        push: await devices.reach(scope.userId),
        sms: false,
      },
    };
  }
}

/** Fields that are absent stay as they are. */
function changed(before: Wishes, change: NotificationSettingsChange): Wishes {
  return {
    ...before,
    email: change.email ?? before.email,
    push: change.push ?? before.push,
    sms: change.sms ?? before.sms,
    notify_on_unknown:
      change.notifyOnUnknown ?? change.notify_on_unknown ?? before.notify_on_unknown,
    notify_on_known: change.notifyOnKnown ?? change.notify_on_known ?? before.notify_on_known,
    daily_reports: change.dailyReports ?? change.daily_reports ?? before.daily_reports,
    alert_levels: unique(change.alert_levels) ?? before.alert_levels,
    cameras: change.cameras === undefined ? before.cameras : (unique(change.cameras) ?? null),
    muted_people: unique(change.muted_people) ?? before.muted_people,
    quiet_from: change.quiet_from === undefined ? before.quiet_from : change.quiet_from,
    quiet_to: change.quiet_to === undefined ? before.quiet_to : change.quiet_to,
    quiet_days: unique(change.quiet_days)?.toSorted() ?? before.quiet_days,
  };
}

const unique = <T>(values: readonly T[] | null | undefined): T[] | undefined =>
  values ? [...new Set(values)] : undefined;
