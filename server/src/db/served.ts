/** A PostgreSQL run outside Nazar, named by DATABASE_URL: checks that it is one, and one that we can use. */
import type { Client } from 'pg';
import { Refusal } from '#lib/refusal.ts';
import { newClient, type Target } from './connection.ts';

/** The oldest version with partitioning and MERGE as used here; Debian 12 has 15. */
const oldestMajor = 15;

/** The target, after a check of it. No sentence contains the password. */
export async function servedTarget(connectionString: string): Promise<Target> {
  const name = nameOf(connectionString);
  const target: Target = { connectionString };
  const client = openClient(target, name);
  client.on('error', () => undefined); // the call under way reports it
  try {
    await client.connect();
    await check(client, name);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`DATABASE_URL: ${name} ${whyNot(error)}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
  return target;
}

/** Refuses a database that can only be read: a standby, or a user without the right to write. */
export async function mustTakeWrites(connectionString: string): Promise<void> {
  const name = nameOf(connectionString);
  const client = newClient({ connectionString });
  client.on('error', () => undefined); // the call under way reports it
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; read_only: string }>(
      `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only`,
    );
    const [row] = rows;
    if (row?.standby) {
      throw new Refusal(
        `DATABASE_URL: ${name} is a standby, a copy that can only be read; name the server it copies from (its primary).`,
      );
    }
    if (row?.read_only === 'on') {
      throw new Refusal(
        `DATABASE_URL: ${name} can only be read by this user (default_transaction_read_only is on); allow it to write, or name another user.`,
      );
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`DATABASE_URL: ${name} ${whyNot(error)}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Host and database, to be shown in a sentence. */
function nameOf(connectionString: string): string {
  let url: URL;
  try {
    url = new URL(connectionString);
  } catch (cause) {
    throw new Refusal(
      'DATABASE_URL is not an address like postgresql://user:password@host:5432/database.',
      { cause },
    );
  }
  if (!['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Refusal(`DATABASE_URL begins with ${url.protocol}// instead of postgresql://.`);
  }
  return `${url.host || url.searchParams.get('host') || 'localhost'}${url.pathname}`;
}

function openClient(target: Target, name: string): Client {
  try {
    return newClient(target);
  } catch (cause) {
    throw new Refusal(`DATABASE_URL: ${name} cannot be read as an address.`, { cause });
  }
}

async function check(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ version: string; number: string; encoding: string }>(
    `select current_setting('server_version') as version,
            current_setting('server_version_num') as number,
            current_setting('server_encoding') as encoding`,
  );
  const [{ version, number, encoding } = { version: '?', number: '0', encoding: '?' }] = rows;
  if (Number(number) < oldestMajor * 10_000) {
    throw new Refusal(
      `DATABASE_URL: ${name} is PostgreSQL ${version}; ${oldestMajor} or newer is needed.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new Refusal(`DATABASE_URL: ${name} stores text as ${encoding}; UTF8 is needed.`);
  }
}

function whyNot(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'does not answer: nothing listens there';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'does not answer: the host name is not known';
    case '28P01':
    case '28000':
      return 'refuses the user name or the password';
    case '3D000':
      return 'has no such database';
    case '42501':
      return 'does not let this user in';
    case '53300':
      return 'has no connection free';
    default:
      return `does not answer: ${message}`;
  }
}
