/**
 * What fails for one camera inside its host and is otherwise only seen in its effect (a gap, a refusal): one line a
 * minute for each task goes to the server's log. Says what the machine lacks in words; anything else is a fault of our
 * own and comes with its stack.
 */
import type { Clock } from '#lib/clock.ts';
import type { FromHost } from '../protocol/messages.ts';

const everyMs = 60_000;

/** Codes of Node and of the operating system. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file system takes no file of this size',
  EROFS: 'the disk is read-only',
  EACCES: 'the folder may not be written',
  EPERM: 'the folder may not be written',
  ENOENT: 'the folder is not there',
  ENOTDIR: 'the folder is not there',
  ENODEV: 'the disk is not there',
  ENXIO: 'the disk is not there',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ERR_MODULE_NOT_FOUND: 'a library is not installed',
  ERR_DLOPEN_FAILED: 'a library does not load on this machine',
};

export class CameraLog {
  readonly #cameraId: string;
  readonly #clock: Clock;
  readonly #tell: (message: FromHost<unknown>) => void;
  readonly #loggedAtMs = new Map<string, number>();

  constructor(cameraId: string, clock: Clock, tell: (message: FromHost<unknown>) => void) {
    this.#cameraId = cameraId;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** `task`: what did not come about, such as "a segment was not written". */
  failed(task: string, error: unknown): void {
    const { level, reason } = described(error);
    this.#say(level, task, reason);
  }

  /** The same of what comes back by itself, such as a process that is started again. */
  paused(task: string, error: unknown): void {
    this.#say('warn', task, error instanceof Error ? error.message : 'unknown');
  }

  #say(level: 'warn' | 'error', task: string, reason: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - (this.#loggedAtMs.get(task) ?? -Infinity) < everyMs) return;
    this.#loggedAtMs.set(task, nowMs);
    this.#tell({ kind: 'log', level, cameraId: this.#cameraId, text: `${task}: ${reason}` });
  }
}

function described(error: unknown): { level: 'warn' | 'error'; reason: string } {
  const { code, message, stack } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === undefined) return { level: 'error', reason: stack ?? String(error) };
  const reason = reasons[code];
  return {
    level: 'warn',
    reason: reason === undefined ? (message ?? code) : `${reason} (${code})`,
  };
}
