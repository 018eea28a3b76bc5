/**
 * Feeds one SourceBuffer in order, one operation at a time. Survives a full buffer (the browser decides
 * how much it keeps) and a stream that begins anew; says `broken` when neither helps.
 */

/** What is used of a SourceBuffer. */
export interface Buffer {
  readonly updating: boolean;
  readonly buffered: Pick<TimeRanges, 'length' | 'start' | 'end'>;
  appendBuffer(data: BufferSource): void;
  remove(start: number, end: number): void;
  changeType(mime: string): void;
  addEventListener(kind: 'updateend' | 'error', listener: () => void): void;
}

export interface AppendHooks {
  /** The second on the screen: what lies well before it may be thrown away. */
  readonly currentTime: () => number;
  /** Media was added. */
  readonly onAppended: () => void;
  readonly onBroken: (cause: unknown) => void;
}

type Job =
  | { readonly kind: 'append'; readonly data: Uint8Array }
  | { readonly kind: 'remove'; readonly end: number }
  | { readonly kind: 'type'; readonly mime: string };

/** About half a minute of a 4 Mbit/s stream: a browser that is so far behind does not catch up. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** What is on the screen needs its key frame. */
const KEEP_BEFORE_S = 2;

const isQuota = (cause: unknown): boolean =>
  typeof cause === 'object' &&
  cause !== null &&
  'name' in cause &&
  cause.name === 'QuotaExceededError';

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

export class AppendQueue {
  readonly #buffer: Buffer;
  readonly #hooks: AppendHooks;
  #jobs: Job[] = [];
  #waitingBytes = 0;
  /** How often the append at hand met a full buffer. */
  #full = 0;
  #over = false;
  #appending = false;

  constructor(buffer: Buffer, hooks: AppendHooks) {
    this.#buffer = buffer;
    this.#hooks = hooks;
    buffer.addEventListener('updateend', () => {
      if (this.#over) return;
      const appended = this.#appending;
      this.#appending = false;
      if (appended) hooks.onAppended();
      this.#pump();
    });
    buffer.addEventListener('error', () => this.#break(new Error('the buffer refused the media')));
  }

  append(data: Uint8Array): void {
    this.#waitingBytes += data.byteLength;
    if (this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#break(new Error('the browser does not keep up'));
      return;
    }
    this.#jobs.push({ kind: 'append', data });
    this.#pump();
  }

  /** What follows is another stream: nothing of the one before may be shown after it. */
  restart(mime: string): void {
    this.#waitingBytes = 0;
    this.#jobs = [
      { kind: 'remove', end: Infinity },
      { kind: 'type', mime },
    ];
    this.#pump();
  }

  removeBefore(end: number): void {
    if (this.#jobs.some((job) => job.kind === 'remove')) return;
    this.#jobs.unshift({ kind: 'remove', end });
    this.#pump();
  }

  close(): void {
    this.#over = true;
    this.#jobs = [];
  }

  #break(cause: unknown): void {
    if (this.#over) return;
    this.close();
    this.#hooks.onBroken(cause);
  }

  #pump(): void {
    while (!this.#over && !this.#buffer.updating && this.#jobs.length > 0) {
      try {
        this.#next();
      } catch (cause) {
        this.#break(cause);
      }
    }
  }

  #next(): void {
    const [job] = this.#jobs;
    if (job === undefined) return;
    if (job.kind === 'append') {
      this.#appendAll();
      return;
    }
    this.#jobs.shift();
    if (job.kind === 'type') this.#buffer.changeType(job.mime);
    // An empty buffer has nothing to remove, and says no updateend about it.
    else if (this.#buffer.buffered.length > 0) this.#buffer.remove(0, job.end);
  }

  /** All that waits goes in at once: a browser that fell behind catches up in one step. */
  #appendAll(): void {
    const other = this.#jobs.findIndex((job) => job.kind !== 'append');
    const ready = this.#jobs.slice(0, other === -1 ? undefined : other);
    const parts = ready.flatMap((job) => (job.kind === 'append' ? [job.data] : []));
    const whole = parts.length === 1 && parts[0] !== undefined ? parts[0] : joined(parts);
    try {
      // Received over a socket, so never shared memory.
      this.#buffer.appendBuffer(whole as Uint8Array<ArrayBuffer>);
    } catch (cause) {
      if (!isQuota(cause) || this.#full >= 2) throw cause;
      this.#makeRoom();
      return;
    }
    this.#appending = true;
    this.#full = 0;
    this.#waitingBytes -= whole.byteLength;
    this.#jobs.splice(0, ready.length);
  }

  /** First what was already seen goes, then everything. */
  #makeRoom(): void {
    const { buffered } = this.#buffer;
    const seen = this.#hooks.currentTime() - KEEP_BEFORE_S;
    const old = buffered.length > 0 && buffered.start(0) < seen;
    this.#jobs.unshift({ kind: 'remove', end: this.#full === 0 && old ? seen : Infinity });
    this.#full += 1;
  }
}
