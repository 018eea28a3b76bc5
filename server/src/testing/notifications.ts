/** Alerts and notifications on a world of modules, evaluated when a test says so. */
import type { Notification } from '@nazar/contract/notifications.ts';
import { NotificationQuery } from '@nazar/contract/notifications.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import { sql } from 'kysely';
import { Alerts } from '#alerts/alerts.ts';
import type { Database } from '#db/database.ts';
import type { Capability, Scope } from '#http/scope.ts';
import { pushServiceJudge } from '#notifications/push/service-addresses.ts';
import { Notifications } from '#notifications/notifications.ts';
import { readersOf, scopeOfUser } from '#app/rights.ts';
import type { Mail } from '#mail/mail.ts';
import { aWebhookPolicy } from './webhook-policy.ts';
import { noMail, quietLog, type World } from './world.ts';

export interface Notified extends AsyncDisposable {
  readonly alerts: Alerts;
  readonly notifications: Notifications;
  /** Evaluates what is in the feed, and notifies. */
  settle(): Promise<void>;
  /** The rights that the user has now. */
  now(scope: Scope): Promise<Scope>;
  list(scope: Scope, query?: object, language?: Language): Promise<Listed>;
}

interface Listed {
  readonly count: number;
  readonly results: Notification[];
  readonly titles: string[];
}

/** `db`: another way to the same database, for notifications alone. Both do nothing by themselves while time stands. */
export function notified(
  world: World,
  db: Database = world.database.db,
  mail: Mail = noMail(db),
  resolve?: (host: string) => Promise<readonly string[]>,
): Notified {
  const { clock, accounts, cameras } = world;
  const alerts = new Alerts({
    ...world,
    db: world.database.db,
    scopeOfUser: scopeOfUser(readersOf(accounts, cameras)),
    log: quietLog,
  });
  const notifications = new Notifications({
    ...world,
    db,
    alerts,
    mail,
    key: world.master.derive('webhooks'),
    webhookPolicy: aWebhookPolicy,
    mayBePushService: pushServiceJudge(['127.0.0.1/32'], (reach) => ({
      ...reach,
      ownAddresses: [],
      ownPorts: [],
    })),
    ...(resolve && { resolve }),
    publicUrl: 'https://nazar.example.org',
    clock,
    log: quietLog,
  });
  const now = async (scope: Scope): Promise<Scope> => ({
    ...scope,
    grants: await cameras.access.visibleTo(scope),
  });
  return {
    alerts,
    notifications,
    now,
    async settle() {
      await alerts.evaluate();
      await notifications.notify();
    },
    async list(scope, query = {}, language = 'en') {
      const asked = NotificationQuery.parse(query);
      const page = await notifications.lists.list(await now(scope), asked, language);
      return { ...page, titles: page.results.map(({ title }) => title) };
    },
    async [Symbol.asyncDispose]() {
      await notifications[Symbol.asyncDispose]();
      await alerts[Symbol.asyncDispose]();
    },
  };
}

export const grant = (
  world: World,
  giver: Scope,
  to: Scope,
  cameraId: string,
  capabilities: readonly Capability[],
) =>
  world.cameras.access.give(giver, {
    to: { type: 'user', id: to.userId },
    of: { type: 'camera', id: cameraId },
    capabilities: [...capabilities],
    categories: [],
  });

/** How many notifications there are of all users, and how many changes wait for them. */
export async function kept(db: Database): Promise<{ rows: number; waiting: number }> {
  const { rows } = await sql<{ rows: number; waiting: number }>`
    select (select count(*) from notification)::integer as rows,
           (select count(*) from feed_change where kind not in ('visit', 'warning'))::integer as waiting`.execute(
    db.read(),
  );
  return rows[0]!;
}
