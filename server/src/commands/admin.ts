/**
 * `npm run admin`: accounts from the console of the machine, on a running or a stopped installation.
 *
 *   npm run admin -- create --email E --password P --role superadmin [--first-name F --last-name L]
 *   npm run admin -- reset --email E [--password P | --link | --second-factor]
 *   npm run admin -- change-key
 *   npm run admin -- allow-all-addresses
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { roles } from '@nazar/contract/accounts.ts';
import { EmailAddress, requiredName } from '@nazar/contract/fields.ts';
import { Activity, consoleActor } from '#activity/activity.ts';
import { Accounts } from '#accounts/accounts.ts';
import type { Database } from '#db/database.ts';
import { openDatabase } from '#db/open.ts';
import { changeMasterKey, openRootKey } from '#db/root-key.ts';
import { fieldSentence } from '#http/sentences.ts';
import { systemClock as clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';
import { Mail } from '#mail/mail.ts';
import { Settings } from '#settings/settings.ts';
import { readConfig, type Config } from '#config/config.ts';
import { keyFileOf, prepareDataFolder } from '#config/data-folder.ts';
import { borrowed } from '#config/own-database.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run admin -- create --email E --password P --role ${roles.join('|')} [--first-name F --last-name L]
  npm run admin -- reset --email E [--password P | --link | --second-factor]
  npm run admin -- change-key
  npm run admin -- allow-all-addresses     for those whom a list of addresses keeps out
`;

const Words = z.object({
  email: EmailAddress,
  password: z.optional(z.string()),
  link: z._default(z.boolean(), false),
  'second-factor': z._default(z.boolean(), false),
  role: z._default(z.enum(roles), 'superadmin'),
  'first-name': z._default(requiredName(150), 'System'),
  'last-name': z._default(requiredName(150), 'Administrator'),
});
type Words = z.infer<typeof Words>;

process.exitCode = await main();

async function main(): Promise<number> {
  const [command, options] = readOptions();
  if (command === 'change-key') return asCommand(changeKey);
  if (command === 'allow-all-addresses') return asCommand(allowAllAddresses);
  if (command !== 'create' && command !== 'reset') {
    complain(usage);
    return 1;
  }
  return asCommand(async () => {
    const words = checked(options);
    await withAccounts((accounts, origin) =>
      command === 'create' ? create(accounts, words) : reset(accounts, words, origin),
    );
  });
}

function asCommand(work: () => Promise<void>): Promise<number> {
  return exitCodeOf(() => work().then(() => 0));
}

/** The command, '' where there is none, and its options as they were typed. */
function readOptions(): [string, object] {
  try {
    const text = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        email: text,
        password: text,
        link: { type: 'boolean' },
        'second-factor': { type: 'boolean' },
        role: text,
        'first-name': text,
        'last-name': text,
      },
    });
    return [positionals[0] ?? '', values];
  } catch (error) {
    complain(shown`${(error as Error).message}\n`);
    return ['', {}];
  }
}

/** Throws a Refusal with a line for each option that is wrong. */
function checked(options: object): Words {
  const words = Words.safeParse(options, { reportInput: true });
  if (words.success) return words.data;
  const lines = words.error.issues.map(
    (issue) => `--${String(issue.path[0])}: ${fieldSentence('en', issue)}`,
  );
  throw new Refusal(lines.join('\n'));
}

async function create(accounts: Accounts, words: Words): Promise<void> {
  if (words.password === undefined) throw new Refusal('A password is needed: --password P.');
  const user = await accounts.createUser({
    email: words.email,
    password: words.password,
    role: words.role,
    firstName: words['first-name'],
    lastName: words['last-name'],
  });
  print(shown`Created ${user.role} ${user.email}.\n`);
}

/**
 * Without a password a new one is made and shown once; with `--link` its owner chooses. With
 * `--second-factor` it stays, and what is asked after it goes.
 */
async function reset(
  accounts: Accounts,
  { email, password, link: asLink, 'second-factor': asFactor }: Words,
  origin: string,
): Promise<void> {
  if (asFactor) {
    if (asLink || password !== undefined) {
      throw new Refusal('One thing at a time: --second-factor goes without --password and --link.');
    }
    await accounts.lostFactor.removeFromConsole(email);
    print(
      shown`The second factor of ${email} was removed: authenticator app, passkeys and recovery codes. All sessions ended; the password is the same.\n`,
    );
    return;
  }
  if (asLink) {
    const { path } = await accounts.recovery.helpFromConsole(email);
    print(
      shown`With this link ${email} chooses a new password; it works once and for 24 hours:\n${origin}${path}\n`,
    );
    return;
  }
  const chosen = password ?? randomBytes(12).toString('base64url');
  await accounts.resetPassword(email, chosen);
  print(
    password === undefined
      ? shown`The new password of ${email} is ${chosen}\n`
      : shown`The password of ${email} was changed; all sessions ended.\n`,
  );
}

async function changeKey(): Promise<void> {
  await withDatabase(async (db, { config, folder }) => {
    const activity = new Activity({ db, clock });
    const kept = await changeMasterKey({ db, clock, path: keyFileOf(config, folder) }, (tx) =>
      activity.record(tx, { actor: consoleActor, action: 'system.key_changed', object: null }),
    );
    print(
      shown`The master key was changed; copy the new one to where you keep it. The old one is ${kept}: backups made until now need it, nothing else does.\n`,
    );
  });
}

/** A user who is locked out of the pages still has the machine. */
async function allowAllAddresses(): Promise<void> {
  await withDatabase(async (db, { log }) => {
    using settings = new Settings({ db, activity: new Activity({ db, clock }), clock, log });
    await settings.allowAllAddresses();
    print(shown`Everybody may sign in from every address again.\n`);
  });
}

/** `origin`: where links lead. */
async function withAccounts(
  work: (accounts: Accounts, origin: string) => Promise<void>,
): Promise<void> {
  await withDatabase(async (db, { config, folder, log }) => {
    const master = await openRootKey({ db, clock, path: keyFileOf(config, folder) });
    const { publicUrl, host, port, tls } = config;
    // This command queues the email, the server sends it.
    const mail = new Mail({ db, master, clock, log, route: config.mail });
    const key = master.derive('accounts');
    const activity = new Activity({ db, clock });
    using settings = new Settings({ db, activity, clock, log });
    const origin = publicUrl ?? `${tls ? 'https' : 'http'}://${host}:${port}`;
    await work(new Accounts({ db, activity, settings, key, clock, log, mail, publicUrl }), origin);
  });
}

interface Place {
  readonly config: Config;
  readonly folder: { readonly path: string };
  readonly log: Log;
}

async function withDatabase(work: (db: Database, place: Place) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const folder = prepareDataFolder(config);
  const options = borrowed(config, folder.path);
  await using database = await openDatabase(options);
  const { db } = database;
  // The first account makes it, whether by the server or by this command.
  await openRootKey({ db, clock, path: keyFileOf(config, folder) });
  await work(db, { config, folder, log: options.log });
}
