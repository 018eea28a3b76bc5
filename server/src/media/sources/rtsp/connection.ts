/**
 * An RTSP connection (RFC 2326): requests and replies, over one socket that carries the interleaved packets, too. It
 * sends one request at a time, authenticates when the camera asks for it, and repeats the session id.
 */
import type { Socket } from 'node:net';
import { IngestFault } from '../../protocol/fault.ts';
import { answerTo, type Credentials } from '../digest.ts';
import type { CameraReply } from '../observer.ts';
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

interface Waiting {
  readonly method: string;
  readonly sequence: number;
  readonly reply: PromiseWithResolvers<Reply>;
}

export class RtspConnection implements Disposable {
  readonly #options: ConnectionOptions;
  readonly #parser: RtspParser;
  #sequence = 0;
  #session = '';
  #challenge: string | null = null;
  #waiting: Waiting | null = null;
  #over: IngestFault | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket, packet } = options;
    this.#parser = new RtspParser({ text: (head, body) => this.#answer(head, body), packet });
    socket.setTimeout(silenceTimeoutMs, () => this.end(new IngestFault('no_packets', 'silent')));
    socket.on('close', () => this.end(null));
  }

  /** Resolves with the reply, whatever its status. Throws an IngestFault when the connection ends before. */
  async ask(method: string, url: string, heads: readonly string[] = []): Promise<Reply> {
    const reply = await this.#askOnce(method, url, heads);
    if (reply.status !== unauthorized || !this.#options.credentials) return reply;
    const isAnswered = this.#challenge !== null;
    this.#challenge = reply.header('www-authenticate') || null;
    // A second refusal is final, unless only the nonce was stale (RFC 7616, 3.3).
    if (!this.#challenge || (isAnswered && !/stale="?true/i.test(this.#challenge))) return reply;
    return await this.#askOnce(method, url, heads);
  }

  /** Sends a request without waiting for its reply. */
  send(method: string, url: string): void {
    if (!this.#over) this.#write(method, url, []);
  }

  /**
   * Requests from now on hold this session id. The first one counts: some DVRs name another with each stream, and know
   * the first alone when they are told to play.
   */
  holdSession(id: string): void {
    this.#session ||= id;
  }

  /** Null: the camera closed the connection. The first of several reasons counts. */
  end(fault: IngestFault | null): void {
    if (this.#over) return;
    this.#over = fault ?? new IngestFault('ended', 'closed by the camera');
    this.#options.socket.destroy();
    this.#waiting?.reply.reject(this.#over);
    this.#options.ended(fault);
  }

  [Symbol.dispose](): void {
    this.end(new IngestFault('none'));
  }

  async #askOnce(method: string, url: string, heads: readonly string[]): Promise<Reply> {
    if (this.#over) throw this.#over;
    const reply = Promise.withResolvers<Reply>();
    this.#waiting = { method, sequence: this.#write(method, url, heads), reply };
    return await reply.promise;
  }

  #write(method: string, url: string, heads: readonly string[]): number {
    const sequence = (this.#sequence += 1);
    const { credentials, socket } = this.#options;
    const known =
      this.#challenge &&
      credentials &&
      answerTo(this.#challenge, { method, uri: url }, credentials);
    const lines = [
      `${method} ${url} RTSP/1.0`,
      `CSeq: ${sequence}`,
      `User-Agent: ${agent}`,
      ...(known ? [`Authorization: ${known}`] : []),
      ...(this.#session ? [`Session: ${this.#session}`] : []),
      ...heads,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return sequence;
  }

  /** Takes what the socket received; keeps no view of it. */
  receive(chunk: Buffer): void {
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
    const sequence = Number(headerIn(head, 'cseq') || this.#waiting?.sequence);
    const isAwaited = this.#waiting?.sequence === sequence;
    const method = isAwaited ? (this.#waiting?.method ?? null) : null;
    this.#options.replied?.({ protocol: 'rtsp', method, head, body: body.toString('utf8') });
    const status = Number(/^RTSP\/\d\.\d (\d{3})/.exec(head)?.[1] ?? 0);
    if (status === 0) {
      // A request of the camera's own; any answer tells it that the session is alive.
      this.#options.socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence || 0}\r\n\r\n`);
      return;
    }
    if (this.#waiting?.sequence !== sequence) return;
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

/** Chooses among several challenges the one that does not send the password. */
function challengeIn(head: string): string {
  const all = [...head.matchAll(/^www-authenticate:[ \t]*(.*)$/gim)].map(
    (it) => it[1]?.trim() ?? '',
  );
  const digests = all.filter((it) => /^digest\b/i.test(it));
  const usual = digests.find((it) => !/algorithm="?sha-512/i.test(it));
  return usual ?? all.find((it) => /^basic\b/i.test(it)) ?? all[0] ?? '';
}
