/** What a measured player is, and what is said of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** What came out of it; null: this player cannot be asked. */
export interface Played {
  readonly pictures: number | null;
  readonly soundSeconds: number | null;
  /** The longest silence between the first sound and the last. */
  readonly silenceMs: number | null;
  /** Why it did not come to the end; null: it did. */
  readonly stopped: string | null;
}

export interface Player {
  readonly name: string;
  /** What to install, or to name, where it is missing; null: it is here. */
  readonly missing: string | null;
  /** With its version. */
  version(): Promise<string>;
  /** `seconds`: about how long it lasts. */
  play(address: string, seconds: number): Promise<Played>;
}

export const programIn = (paths: readonly string[]): string | null =>
  paths.find((path) => existsSync(path)) ?? null;

export interface Ran {
  readonly out: string;
  readonly err: string;
  /** Null: it was ended, because it took too long. */
  readonly code: number | null;
}

export async function run(
  program: string,
  words: readonly string[],
  { withinSeconds = 60, isUnprivileged = false } = {},
): Promise<Ran> {
  // VLC does not start as root.
  const who = isUnprivileged && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const env = { ...process.env, HOME: '/nonexistent', XDG_RUNTIME_DIR: '/nonexistent' };
  const child = spawn(program, words, { ...who, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => out.push(piece));
  child.stderr.on('data', (piece: Buffer) => err.push(piece));
  const timer = setTimeout(() => child.kill('SIGKILL'), withinSeconds * 1_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString(), code };
}
