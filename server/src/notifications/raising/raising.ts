/** What becomes of changes in the feed: who is notified of what, in the transaction that takes them. */
import { holds } from '#http/scope.ts';
import type { EventChanges } from '#accounts/accounts.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { kindsOfPeople } from '@nazar/contract/alert-rules.ts';
import type { Channel } from '../deliveries/channel.ts';
import { addFirst, addOver } from '../deliveries/delivery-store.ts';
import { addEnded, addRaised } from '../webhooks/delivery-store.ts';
import { keepMs } from '../webhooks/sender.ts';
import type { Tx } from '#db/database.ts';
import type { ChangeKind, Followed, TakenChange } from '#feed/feed.ts';
import { snoozed, type IsSnoozed } from '../snoozes/snoozed.ts';
import { snoozesAt } from '../snoozes/snooze-store.ts';
import { wishesAlert, wishesKnownPerson } from '../settings/wishes.ts';
import { KnownPeople } from './known-people.ts';
import { RaisedStore, type NewNotification, type SeenAlert } from './raised-store.ts';
import type { Reader, Readers } from './readers.ts';

/** Whose notifications changed. */
export interface ChangedNotifications {
  readonly userId: string;
}

export interface RaisingOptions {
  readonly readers: Readers;
  readonly eventChanges: Pick<EventChanges, 'read'>;
  readonly channels: readonly Channel[];
  readonly clock: Clock;
}

type Users = ReadonlyMap<string, Reader>;
type About = Pick<NewNotification, 'user_id' | 'kind'> &
  Partial<NewNotification> & {
    /** An email of another kind is about it. */
    readonly hasEmail?: boolean;
  };

interface Raised {
  readonly row: NewNotification;
  readonly hasEmail: boolean;
}

export class Raising {
  readonly #options: RaisingOptions;
  readonly #store = new RaisedStore();

  constructor(options: RaisingOptions) {
    this.#options = options;
  }

  async follow(tx: Tx, changes: readonly TakenChange[]): Promise<Followed<ChangedNotifications>> {
    const users = await this.#options.readers.all();
    const idsOf = (kind: ChangeKind): string[] => [
      ...new Set(changes.filter((one) => one.kind === kind).map(({ subject }) => subject)),
    ];
    const isSnoozed = snoozed(await snoozesAt(tx, new Date(this.#options.clock.now())));
    const people = new KnownPeople(
      this.#store,
      users,
      ({ userId, wishes }, visit) =>
        wishesKnownPerson(wishes, visit) && !isSnoozed(userId, { ...visit, rule_id: null }),
    );
    const alerts = [...(await this.#store.alerts(tx, idsOf('alert'))).values()];
    const about: readonly About[] = [
      ...ofAlerts(alerts, users, isSnoozed),
      ...(await this.#ofAssignments(tx, users, idsOf('assignment'))),
      ...(await people.take(tx, idsOf('known_visit'))),
      ...(await this.#ofAccounts(tx, users, idsOf('account'))),
      ...(await this.#ofExports(tx, users, idsOf('export'))),
    ];
    // In one order of accounts, as all that lock several of them do.
    const rows = about.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1));
    const raised = rows.map((row) => this.#raised(row));
    await this.#store.add(
      tx,
      raised.map(({ row }) => row),
    );
    for (const channel of this.#options.channels) {
      const first = raised.filter((one) => isFor(channel, one, users)).map(({ row }) => row.id);
      await this.#deliver(tx, channel, first, idsOf('alert_over'));
    }
    // Webhooks belong to no user: they are sent what is not snoozed for everyone.
    const sent = alerts.filter((alert) => !isSnoozed(null, alert)).map(({ id }) => id);
    await this.#sendToWebhooks(tx, sent, idsOf('alert_over'));
    const changed = new Set([...rows.map(({ user_id }) => user_id), ...people.wentOn]);
    return {
      taken: changes.map(({ id }) => id),
      happened: [...changed].map((userId) => ({ userId })),
    };
  }

  async #deliver(
    tx: Tx,
    channel: Channel,
    first: readonly string[],
    over: readonly string[],
  ): Promise<void> {
    if (!channel.isAvailable()) return;
    const at = new Date(this.#options.clock.now());
    await addFirst(tx, channel.name, first, at);
    await addOver(tx, channel.name, over, at);
  }

  async #sendToWebhooks(tx: Tx, raised: readonly string[], over: readonly string[]): Promise<void> {
    const nowMs = this.#options.clock.now();
    const [at, giveUpAt] = [new Date(nowMs), new Date(nowMs + keepMs)];
    await addRaised(tx, raised, at, giveUpAt);
    await addEnded(tx, over, at, giveUpAt);
  }

  /** Whatever the user wishes: another user relies on them. */
  async #ofAssignments(tx: Tx, users: Users, ids: readonly string[]): Promise<About[]> {
    const alerts = await this.#store.alerts(tx, ids);
    return [...alerts.values()].flatMap((alert): About[] => {
      const assignee = users.get(alert.assigned_to ?? '');
      const { id: alert_id } = alert;
      return assignee ? [{ user_id: assignee.userId, kind: 'alert', alert_id }] : [];
    });
  }

  async #ofAccounts(tx: Tx, users: Users, entryIds: readonly string[]): Promise<About[]> {
    const events = await this.#options.eventChanges.read(tx, entryIds);
    return [...events.values()]
      .filter(({ userId }) => users.has(userId))
      .map(({ userId, kind: event }) => ({
        user_id: userId,
        kind: 'account',
        event,
        hasEmail: true,
      }));
  }

  async #ofExports(tx: Tx, users: Users, ids: readonly string[]): Promise<About[]> {
    const finished = await this.#store.exports(tx, ids);
    return finished
      .filter(({ created_by }) => users.has(created_by))
      .map(({ id, camera_id, created_by, status }) => ({
        user_id: created_by,
        kind: status === 'done' ? 'export_done' : 'export_failed',
        export_id: id,
        camera_id,
      }));
  }

  #raised({ hasEmail = false, ...about }: About): Raised {
    const nowMs = this.#options.clock.now();
    const now = new Date(nowMs);
    const row = {
      id: uuidv7(nowMs),
      alert_id: null,
      camera_id: null,
      identity_id: null,
      visit_id: null,
      visit_started_at: null,
      export_id: null,
      event: null,
      created_at: now,
      last_at: now,
      ...about,
    };
    return { row, hasEmail };
  }
}

function ofAlerts(alerts: readonly SeenAlert[], users: Users, isSnoozed: IsSnoozed): About[] {
  return alerts.flatMap((alert) =>
    [...users.values()]
      .filter(({ scope, wishes }) => maySee(scope, alert) && wishesAlert(wishes, alert))
      .filter(({ userId }) => !isSnoozed(userId, alert))
      .map(({ userId, scope }): About => {
        const hasEmail = hasWarningEmail(scope, alert);
        return { user_id: userId, kind: 'alert', alert_id: alert.id, hasEmail };
      }),
  );
}

function isFor(channel: Channel, { row, hasEmail }: Raised, users: Users): boolean {
  const wishes = users.get(row.user_id)?.wishes;
  return (
    wishes !== undefined && channel.isWished(wishes) && !(hasEmail && channel.name === 'email')
  );
}

/** Those about no camera are administrators'. */
function maySee(scope: Reader['scope'], { camera_id: id, camera_owner: created_by }: SeenAlert) {
  return id === null ? scope.seesAll : holds(scope, { id, created_by }, 'live');
}

/** Administrators get emails of warnings, which other alerts show. */
const hasWarningEmail = ({ standing }: Reader['scope'], { kind }: SeenAlert): boolean =>
  !kindsOfPeople.includes(kind) && (standing === 'admin' || standing === 'superadmin');
