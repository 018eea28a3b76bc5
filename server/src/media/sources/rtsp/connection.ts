/**
 * An RTSP connection (RFC 2326): requests and replies, over one socket that carries the interleaved packets, too. It
 * sends one request at a time, authenticates when the camera asks for it, and repeats the session id.
 */
import type { Socket } from 'node:net';
import { IngestFault } from '../../protocol/fault.ts';
import { answerTo, type Credentials } from '../digest.ts';
import type { CameraReply } from '../observer.ts';
import { onSilence } from '../silence.ts';
import { silenceTimeoutMs } from '../watchdog.ts';
import { RtspParser } from './parser.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
  /** The value of the first header with that name; empty when there is none. */
  header(name: string): string;
}

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly credentials: Credentials | null;
  /** An interleaved packet: a view of memory that is used again. */
  readonly packet: (channel: number, packet: Buffer) => void;
  /** Called with each reply, and with each request of the camera's own. */
  readonly replied?: (reply: CameraReply) => void;
  /** The connection is over, for that reason; null: the camera closed it. */
  readonly ended: (fault: IngestFault | null) => void;
}

const agent = 'Nazar';
const unauthorized = 401;
/** A camera gets the last request in this time; a silent one is not waited for longer. */
const leaveMs = 200;

interface Waiting {
  readonly method: string;
  readonly sequence: number;
  readonly reply: PromiseWithResolvers<Reply>;
}

export class RtspConnection {
  readonly #options: ConnectionOptions;
  readonly #parser: RtspParser;
  #sequence = 0;
  #session = '';
  #challenge: string | null = null;
  /** How often the challenge was answered. */
  #answers = 0;
  #waiting: Waiting | null = null;
  #over: IngestFault | null = null;
  /** Requests whose replies are not waited for any more. */
  readonly #givenUp = new Set<number>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket, packet } = options;
    this.#parser = new RtspParser({ text: (head, body) => this.#answer(head, body), packet });
    onSilence(socket, silenceTimeoutMs, () => this.end(new IngestFault('no_packets', 'silent')));
    socket.on('close', () => this.end(null));
  }

  /** Whether the connection has ended. */
  get isOver(): boolean {
    return this.#over !== null;
  }

  /** Resolves with the reply, whatever its status. Throws an IngestFault when the connection ends before. */
  async ask(method: string, url: string, heads: readonly string[] = []): Promise<Reply> {
    const reply = await this.#askOnce(method, url, heads);
    if (reply.status !== unauthorized || !this.#options.credentials) return reply;
    const before = this.#challenge;
    this.#challenge = reply.header('www-authenticate') || null;
    // A second refusal is final, unless there is another nonce to answer: some cameras give one with each request.
    if (!this.#challenge || nonceOf(before) === nonceOf(this.#challenge)) return reply;
    this.#answers = 0;
    return await this.#askOnce(method, url, heads);
  }

  /** The same, but gives the reply up after that time: null. */
  async askAtMost(waitMs: number, method: string, url: string): Promise<Reply | null> {
    const asked = this.ask(method, url);
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => {
      if (this.#waiting) this.#givenUp.add(this.#waiting.sequence);
      late.resolve(null);
    }, waitMs);
    try {
      return await Promise.race([asked, late.promise]);
    } finally {
      clearTimeout(timer);
      asked.catch(() => undefined);
    }
  }

  /** Sends a request without waiting for its reply. */
  send(method: string, url: string): void {
    if (!this.#over) this.#write(method, url, []);
  }

  /**
   * Requests from now on hold this session id. The first one counts: some DVRs name another with each stream, and know
   * only the first when they receive PLAY.
   */
  holdSession(id: string): void {
    this.#session ||= id;
  }

  /**
   * Ends the session and then the connection: a camera that serves few viewers counts one that is left behind for a
   * minute.
   */
  leave(url: string, fault: IngestFault): void {
    if (this.#over) return;
    const { socket } = this.#options;
    if (this.#session) this.send('TEARDOWN', url);
    this.#finish(fault);
    socket.end();
    setTimeout(() => socket.destroy(), leaveMs).unref();
  }

  /** Null: the camera closed the connection. The first of several reasons counts. */
  end(fault: IngestFault | null): void {
    if (this.#over) return;
    this.#finish(fault);
    this.#options.socket.destroy();
  }

  #finish(fault: IngestFault | null): void {
    this.#over = fault ?? new IngestFault('ended', 'closed by the camera');
    this.#waiting?.reply.reject(this.#over);
    this.#options.ended(fault);
  }

  async #askOnce(method: string, url: string, heads: readonly string[]): Promise<Reply> {
    if (this.#over) throw this.#over;
    const reply = Promise.withResolvers<Reply>();
    this.#waiting?.reply.reject(new IngestFault('no_packets', 'no reply'));
    this.#waiting = { method, sequence: this.#write(method, url, heads), reply };
    return await reply.promise;
  }

  #write(method: string, url: string, heads: readonly string[]): number {
    const sequence = (this.#sequence += 1);
    const { credentials, socket } = this.#options;
    const known =
      this.#challenge &&
      credentials &&
      answerTo(this.#challenge, { method, uri: url, count: (this.#answers += 1) }, credentials);
    const lines = [
      `${method} ${url} RTSP/1.0`,
      // Hisilicon's server answers with sequence 0 when this comes after it.
      `User-Agent: ${agent}`,
      `CSeq: ${sequence}`,
      ...(known ? [`Authorization: ${known}`] : []),
      ...(this.#session ? [`Session: ${this.#session}`] : []),
      ...heads,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return sequence;
  }

  /** Takes what the socket received; keeps no view of it. */
  receive(chunk: Buffer): void {
    if (this.#over) return;
    const packetsBefore = this.#parser.packets;
    try {
      if (this.#parser.push(chunk)) return;
      this.end(new IngestFault(packetsBefore > 0 ? 'damaged' : 'not_video', 'no RTSP'));
    } catch (error) {
      if (!(error instanceof IngestFault)) throw error;
      this.end(error);
    }
  }

  #answer(head: string, body: Buffer): void {
    const sequence = Number(headerIn(head, 'cseq')) || 0;
    const method = this.#waiting && !this.#givenUp.has(sequence) ? this.#waiting.method : null;
    this.#options.replied?.({ protocol: 'rtsp', method, head, body: body.toString('utf8') });
    const status = Number(/^RTSP\/\d\.\d (\d{3})/.exec(head)?.[1] ?? 0);
    if (status === 0) {
      // A request of the camera's own; any answer shows it that the session is alive.
      this.#options.socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n\r\n`);
      return;
    }
    // One request is out at a time, and cameras count wrongly: only a reply to a request that was given up is left out.
    if (!this.#waiting || this.#givenUp.delete(sequence)) return;
    const { reply } = this.#waiting;
    this.#waiting = null;
    reply.resolve({
      status,
      body: body.toString('utf8'),
      header: (name) => (name === 'www-authenticate' ? challengeIn(head) : headerIn(head, name)),
    });
  }
}

/** `name` is always ours, never the camera's: it becomes part of a regular expression. */
function headerIn(head: string, name: string): string {
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
}

const nonceOf = (challenge: string | null): string | null =>
  challenge === null ? null : (/nonce="?([^",]*)/i.exec(challenge)?.[1] ?? '');

/**
 * Chooses among several challenges the one that does not send the password. Some cameras put two in one line.
 */
function challengeIn(head: string): string {
  const all = [...head.matchAll(/^www-authenticate:[ \t]*(.*)$/gim)].flatMap((it) =>
    (it[1] ?? '').split(/,\s*(?=(?:digest|basic)\s)/i).map((one) => one.trim()),
  );
  const digests = all.filter((it) => /^digest\b/i.test(it));
  const usual = digests.find((it) => !/algorithm="?sha-512/i.test(it));
  return usual ?? all.find((it) => /^basic\b/i.test(it)) ?? all[0] ?? '';
}
