/**
 * `npm run admin`: accounts from the console of the machine, on a running or a stopped installation.
 *
 *   npm run admin -- create --email E --password P --role superadmin [--first-name F --last-name L]
 *   npm run admin -- reset --email E [--password P]
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { roles } from '@nazar/contract/accounts.ts';
import { EmailAddress } from '@nazar/contract/fields.ts';
import { Activity } from '#activity/activity.ts';
import { Accounts } from '#accounts/accounts.ts';
import { openDatabase } from '#db/open.ts';
import { problemSentence } from '#http/sentences.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import { readConfig } from './config.ts';
import { prepareDataFolder } from './data-folder.ts';

const usage = `Usage:
  npm run admin -- create --email E --password P --role ${roles.join('|')} [--first-name F --last-name L]
  npm run admin -- reset --email E [--password P]
`;

const Words = z.object({
  email: EmailAddress,
  password: z.optional(z.string()),
  role: z._default(z.enum(roles), 'superadmin'),
  'first-name': z._default(z.string(), 'System'),
  'last-name': z._default(z.string(), 'Administrator'),
});
type Words = z.infer<typeof Words>;

process.exitCode = await main();

async function main(): Promise<number> {
  const [command, words] = readWords();
  if (!words || (command !== 'create' && command !== 'reset')) {
    process.stderr.write(usage);
    return 1;
  }
  try {
    await withAccounts((accounts) =>
      command === 'create' ? create(accounts, words) : reset(accounts, words),
    );
    return 0;
  } catch (error) {
    if (error instanceof Problem) {
      process.stderr.write(`${problemSentence('en', error.code, error.params)}\n`);
    } else if (error instanceof Refusal) process.stderr.write(`${error.message}\n`);
    else throw error;
    return 1;
  }
}

function readWords(): [string, Words | null] {
  try {
    const text = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { email: text, password: text, role: text, 'first-name': text, 'last-name': text },
    });
    const words = Words.safeParse(values);
    return [positionals[0] ?? '', words.success ? words.data : null];
  } catch {
    return ['', null];
  }
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
  process.stdout.write(`Created ${user.role} ${user.email}.\n`);
}

/** Without a password a new one is made and shown once. */
async function reset(accounts: Accounts, { email, password }: Words): Promise<void> {
  const chosen = password ?? randomBytes(12).toString('base64url');
  await accounts.resetPassword(email, chosen);
  process.stdout.write(
    password === undefined
      ? `The new password of ${email} is ${chosen}\n`
      : `The password of ${email} was changed; all sessions ended.\n`,
  );
}

async function withAccounts(work: (accounts: Accounts) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const folder = prepareDataFolder(config);
  const log = createLog('error');
  const options = { url: config.databaseUrl, dataFolder: folder.path, clock, log, borrow: true };
  await using database = await openDatabase(options);
  const { db } = database;
  await work(new Accounts({ db, activity: new Activity({ db, clock }), clock, log }));
}
