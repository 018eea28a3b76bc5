/** A real installation on a data folder of its own: what `npm start` runs, followed by what it prints. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoginReply } from '@nazar/contract/accounts.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { MadeVisits } from '../server/src/testing/visits-process.ts';
import { listenOnLoopback } from './farm/loopback.ts';
import {
  keepSecret,
  keepSecretsOf,
  look,
  lookAtAnswer,
  lookInFile,
  foundSecrets,
  wasSeen,
} from './secrets.ts';

export const root = join(import.meta.dirname, '..');
const launcher = join(root, 'server/src/launch.ts');
const commandOf = (name: string): string => join(root, `server/src/commands/${name}.ts`);
const readyMs = 60_000;

export const administrator = {
  email: 'administrator@example.org',
  password: 'correct-horse-7-staple',
  first: 'Test',
  last: 'Administrator',
} as const;
keepSecretsOf(administrator);

export class Installation {
  readonly folder: string;
  readonly port: number;
  #launcher: ChildProcess | null = null;
  #printed = '';

  readonly #more: NodeJS.ProcessEnv;

  private constructor(folder: string, port: number, more: NodeJS.ProcessEnv = {}) {
    this.folder = folder;
    this.port = port;
    this.#more = more;
  }

  /** Makes the data folder; nothing runs yet. `more`: further variables, once its origin is known. */
  static async create(
    more: (origin: string) => NodeJS.ProcessEnv = () => ({}),
  ): Promise<Installation> {
    const folder = mkdtempSync(join(tmpdir(), 'nazar-e2e-'));
    chmodSync(folder, 0o711); // as root, PostgreSQL is `nobody` and must get in
    const port = await freePort();
    return new Installation(folder, port, more(`http://127.0.0.1:${port}`));
  }

  /** Started, with its administrator: a copy of the seed where there is one (seed.ts). */
  static async ready(more?: (origin: string) => NodeJS.ProcessEnv): Promise<Installation> {
    const seed = process.env['NAZAR_E2E_SEED'];
    const made = await Installation.create(more);
    if (seed !== undefined) copyFolder(seed, made.folder);
    await made.start();
    if (seed === undefined) made.createAdministrator();
    return made;
  }

  /** Another one that wants the same data folder. */
  async beside(): Promise<Installation> {
    return new Installation(this.folder, await freePort());
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Everything written to the console by the launcher and the server. */
  get printed(): string {
    return this.#printed;
  }

  /** Starts and resolves when the address is printed, with the milliseconds that took. */
  async start(words: readonly string[] = []): Promise<number> {
    const startedAt = performance.now();
    const from = this.#printed.length;
    const child = spawn(process.execPath, [launcher, ...words], {
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#launcher = child;
    const ready = Promise.withResolvers<void>();
    const hear = (chunk: Buffer): void => {
      this.#printed += chunk.toString();
      if (this.#printed.slice(from).includes('Nazar is ready')) ready.resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) =>
      ready.reject(new Error(`ended with ${code}:\n${this.#printed.slice(from)}`)),
    );
    const timer = setTimeout(
      () => ready.reject(new Error(`not ready:\n${this.#printed.slice(from)}`)),
      readyMs,
    );
    await ready.promise.finally(() => clearTimeout(timer));
    return performance.now() - startedAt;
  }

  /** The link the first run prints. */
  get setupLink(): string {
    const found = /http:\S+\/setup\?code=\S+/.exec(this.#printed)?.[0];
    if (!found) throw new Error(`no set-up link in:\n${this.#printed}`);
    return found;
  }

  /** `npm run admin -- create` for the administrator. */
  createAdministrator(): void {
    const { email, password, first, last } = administrator;
    const words = ['create', '--email', email, '--password', password, '--role', 'superadmin'];
    const { code, said } = this.admin([...words, '--first-name', first, '--last-name', last]);
    if (code !== 0) throw new Error(`no administrator was made: ${said}`);
  }

  admin(words: readonly string[]): { code: number | null; said: string } {
    return this.#run('admin', words);
  }

  /** `npm run recordings -- ...`, beside the running server. */
  recordings(words: readonly string[]): { code: number | null; said: string } {
    return this.#run('check-recordings', words);
  }

  /** As if its cameras had seen them; beside the running server. */
  addVisits(visits: readonly MadeVisits[]): void {
    const file = join(root, 'server/src/testing/visits-process.ts');
    const { code, said } = this.runFile(file, [], JSON.stringify(visits));
    if (code !== 0) throw new Error(`no visits were made: ${said}`);
  }

  #run(name: string, words: readonly string[]): { code: number | null; said: string } {
    return this.runFile(commandOf(name), words);
  }

  /** A program with the environment of this installation. */
  runFile(file: string, words: readonly string[], input = '', timeoutMs = 60_000) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
      env: this.#environment(),
      encoding: 'utf8',
      timeout: timeoutMs,
      input,
    });
    return { code: status, said: stdout + stderr };
  }

  /** Processes of this installation whose command line holds `word`, e.g. `media-1.sock`. */
  pids(word: string): number[] {
    return processes()
      .filter(({ command }) => command.includes(word) && command.includes(this.folder))
      .map(({ pid }) => pid);
  }

  /** What any user of this machine could read: log files, arguments and environments of our processes. */
  everythingVisible(): string[] {
    const logs = join(this.folder, 'data/logs');
    const files = readdirSync(logs).map((name) => join(logs, name));
    const ours = [this.#launcher?.pid, this.serverPid, ...this.pids('.sock')];
    const ofProcesses = ours.flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`]);
    return [...files, ...ofProcesses].map((file) => readFileSync(file, 'utf8'));
  }

  /** The server process: child of the launcher. */
  get serverPid(): number {
    const parent = this.#launcher?.pid;
    const found = processes().find(
      ({ command, ppid }) => ppid === parent && command.includes('main.ts'),
    );
    if (!found) throw new Error('no server process');
    return found.pid;
  }

  /** The postmaster, by its data folder. */
  get postgresPid(): number {
    const file = join(this.folder, 'data/postgres/data/postmaster.pid');
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  }

  /** `kill -9` of everything that belongs to this installation. */
  async killAll(): Promise<void> {
    const launcherPid = this.#launcher?.pid;
    const gone = new Promise((resolve) => this.#launcher?.once('exit', resolve));
    const server = this.serverPid;
    const pids = [launcherPid, server, this.postgresPid, ...this.pids('.sock')];
    for (const pid of pids) if (pid) kill(pid);
    await gone;
    this.#launcher = null;
  }

  async stop(): Promise<void> {
    const child = this.#launcher;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
    this.#launcher = null;
  }

  /** Ends it, and fails when a secret of the run was seen where none belongs. */
  async remove(): Promise<void> {
    const found = await this.#lookForSecrets();
    await this.stop();
    for (const file of filesBelow(this.folder)) await lookInFile(file);
    rmSync(this.folder, { recursive: true, force: true });
    const { seen, answers, bytes } = foundSecrets();
    const places = [...found, ...seen];
    if (places.length > 0) throw new Error(`secrets were seen:\n${places.join('\n')}`);
    console.log(`  no secret in ${answers} answers and ${Math.round(bytes / 1024 / 1024)} MiB`);
  }

  /** What the running processes show, and that the search would find it. */
  async #lookForSecrets(): Promise<string[]> {
    const control = `control-${crypto.randomUUID()}`;
    keepSecret('password', control);
    const file = join(this.folder, 'control');
    writeFileSync(file, Buffer.concat([Buffer.alloc(5_000_000), Buffer.from(control)]));
    await lookInFile(file);
    rmSync(file);
    if (!wasSeen(control)) return ['the search does not find a planted word'];
    look('what was printed', this.printed, ['password', 'token']);
    if (this.#launcher?.exitCode === null && this.#launcher.signalCode === null) {
      for (const text of this.everythingVisible()) {
        look('a log, an argument or an environment', text, ['password', 'token']);
      }
    }
    return [];
  }

  async call(
    method: string,
    path: string,
    { access, body }: { access?: string; body?: object | FormData } = {},
  ): Promise<Response> {
    const isForm = body instanceof FormData;
    keepSecretsOf(body);
    const reply = await fetch(this.origin + path, {
      method,
      headers: {
        ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const isJson = /json/.test(reply.headers.get('content-type') ?? '');
    if (isJson) lookAtAnswer(this.origin + path, await reply.clone().text());
    return reply;
  }

  async get<T>(path: string, access: string): Promise<T> {
    const reply = await this.call('GET', path, { access });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  async post<T>(path: string, access: string, body: object | FormData): Promise<T> {
    const reply = await this.call('POST', path, { access, body });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  /** Adds an active camera that is recorded by hand alone: others are recorded when something moves (REC-033). */
  async addUnrecorded(access: string, fields: object): Promise<Camera> {
    const path = '/secure-api/cameras/';
    const { id } = await this.post<Camera>(path, access, { ...fields, status: 'inactive' });
    const send = async <T>(under: string, body: object): Promise<T> => {
      const reply = await this.call('PATCH', `${path}${id}/${under}/`, { access, body });
      if (!reply.ok) throw new Error(`${under}: ${reply.status} ${await reply.text()}`);
      return (await reply.json()) as T;
    };
    await send('recording_settings', { motionDetection: false });
    return send<Camera>('update_status', { status: 'active' });
  }

  /** An access token, of the administrator unless `email` is another user's. */
  async signIn(email: string = administrator.email): Promise<string> {
    const { password } = administrator;
    const path = '/secure-api/accounts/login/';
    const reply = await this.call('POST', path, { body: { email, password } });
    return ((await reply.json()) as LoginReply).access;
  }

  #environment(): NodeJS.ProcessEnv {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    return {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      NAZAR_DATA: join(this.folder, 'data'),
      NAZAR_PORT: String(this.port),
      NAZAR_LOG: 'warn',
      CAMERA_ALLOW_LOOPBACK: '1',
      ...this.#more,
    };
  }
}

/** With owners and modes, which PostgreSQL checks. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the seed is not copied: ${stderr}`);
}

/** Regular files but PostgreSQL's programs; sockets and what went away meanwhile are none. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/postgres\/bin-[^/]+\//.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone
  }
}

interface ProcessLine {
  readonly pid: number;
  readonly ppid: number;
  readonly command: string;
}

function processes(): ProcessLine[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return [{ pid: Number(name), ppid, command }];
      } catch {
        return [];
      }
    });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks again until it is so; what was seen last stands in the error. */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  isSo: (value: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await ask();
      if (isSo(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(
    `${what}: not within ${timeoutMs} ms; last ${JSON.stringify(last) ?? String(last)}`,
  );
}
