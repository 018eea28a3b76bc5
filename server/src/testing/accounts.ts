/** What tests of accounts begin with: the module on a database alone, or a server whose emails arrive. */
import { Accounts, type HashCost } from '#accounts/accounts.ts';
import { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { SecretKey } from '#lib/secrets.ts';
import type { ServerOptions } from '#app/server-options.ts';
import { Settings } from '#settings/settings.ts';
import { mailServer, type MailServer } from './mail-server.ts';
import { testServer, type TestServer } from './server.ts';
import { noMail, quietLog } from './world.ts';

/** The module on this database; again: as it is after a restart. `hashCost`: absent, the full cost. */
export function accountsOn(
  db: Database,
  { clock, key, hashCost }: { clock: Clock; key: SecretKey; hashCost?: HashCost | undefined },
): Accounts {
  const activity = new Activity({ db, clock });
  const settings = new Settings({ db, activity, clock, log: quietLog });
  const mail = noMail(db);
  return new Accounts({ db, activity, settings, key, clock, log: quietLog, mail, hashCost });
}

export interface MailedServer extends AsyncDisposable {
  readonly world: TestServer;
  /** Where its emails arrive. */
  readonly box: MailServer;
}

/** A server at the public address `origin`, which sends its emails. */
export async function mailedServer(
  origin: string,
  more: Partial<ServerOptions> = {},
): Promise<MailedServer> {
  await using stack = new AsyncDisposableStack();
  const box = stack.use(await mailServer());
  const mail = { smtp: box.smtp, from: 'nazar@example.org', origin };
  const world = stack.use(await testServer({ mail, publicUrl: origin, ...more }));
  const open = stack.move();
  return { world, box, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
