/**
 * Messages between our processes over a unix socket: a JSON head and an optional binary body.
 *
 *   u32 head length · u32 body length · head (UTF-8 JSON) · body
 *
 * Either side may request (`request`) and tell (`tell`). Both lengths are bounded, because
 * the other side parses bytes from cameras and is not trusted to stay sane. Each pair of
 * processes declares its own messages.
 */
import type { Socket } from 'node:net';

/** The largest picture is 7680x4320 RGB; nothing else comes near. */
const maxBodyBytes = 100 * 1024 * 1024;
const maxHeadBytes = 1024 * 1024;

export interface Message<H = unknown> {
  readonly head: H;
  readonly body: Buffer;
}

interface Envelope {
  readonly type: 'tell' | 'ask' | 'answer' | 'failure';
  readonly id?: number;
  readonly head: unknown;
}

export type Answer = { readonly head: unknown; readonly body?: Uint8Array };

/** Called with the other side's messages. When `asked` throws, the other side gets the message as a failure. */
export interface Handlers {
  received?(message: Message): void;
  asked?(message: Message): Promise<Answer> | Answer;
  /** Called once, when the connection has ended for any reason. */
  closed?(): void;
}

const nothing = Buffer.alloc(0);

/** The other process broke the framing, vanished, or answered a request with a failure. */
export class PeerFailure extends Error {
  override readonly name = 'PeerFailure';
}

export class Peer {
  readonly #socket: Socket;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  #nextId = 1;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #closed = false;

  constructor(socket: Socket, handlers: Handlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined); // 'close' follows and says all there is to say
    socket.on('close', () => this.#end());
  }

  /** Bytes accepted by `tell` that the other side has not read yet; back-pressure depends on it. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Sends a message that needs no answer; it is lost when the connection has ended. */
  tell(head: unknown, body: Uint8Array = nothing): void {
    this.#write({ type: 'tell', head }, body);
  }

  /** Sends a request and waits. Rejects with PeerFailure when the other side fails, vanishes or takes too long. */
  async request<H>(
    head: unknown,
    timeoutMs: number,
    body: Uint8Array = nothing,
  ): Promise<Message<H>> {
    if (this.#closed) throw new PeerFailure('the other process is gone');
    const id = this.#nextId++;
    const answer = Promise.withResolvers<Message>();
    this.#waiting.set(id, answer);
    const timer = setTimeout(() => {
      answer.reject(new PeerFailure(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      this.#write({ type: 'ask', id, head }, body);
      return (await answer.promise) as Message<H>;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #write(envelope: Envelope, body: Uint8Array): void {
    if (this.#closed) return;
    const head = Buffer.from(JSON.stringify(envelope));
    const lengths = Buffer.allocUnsafe(8);
    lengths.writeUInt32BE(head.length, 0);
    lengths.writeUInt32BE(body.length, 4);
    this.#socket.cork();
    this.#socket.write(lengths);
    this.#socket.write(head);
    if (body.length > 0) this.#socket.write(body);
    this.#socket.uncork();
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    try {
      while (this.#readOne());
    } catch {
      this.#socket.destroy();
    }
  }

  /** Takes one whole message from the bytes that have arrived; false when there is none yet. */
  #readOne(): boolean {
    if (this.#bufferedBytes < 8) return false;
    const start = this.#peek(8);
    const headBytes = start.readUInt32BE(0);
    const bodyBytes = start.readUInt32BE(4);
    if (headBytes > maxHeadBytes || bodyBytes > maxBodyBytes) {
      throw new PeerFailure('a message is too large');
    }
    const total = 8 + headBytes + bodyBytes;
    if (this.#bufferedBytes < total) return false;
    const all = this.#peek(total);
    this.#consume(total);
    const envelope = JSON.parse(all.toString('utf8', 8, 8 + headBytes)) as Envelope;
    this.#received(envelope, all.subarray(8 + headBytes, total));
    return true;
  }

  /** The first `bytes` of the bytes that have arrived, as one buffer. Joins chunks at most once per message. */
  #peek(bytes: number): Buffer {
    const first = this.#chunks[0] ?? nothing;
    if (first.length >= bytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #consume(bytes: number): void {
    const first = this.#chunks[0] ?? nothing;
    this.#bufferedBytes -= bytes;
    if (first.length === bytes) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(bytes);
  }

  #received(envelope: Envelope, body: Buffer): void {
    const id = envelope.id ?? 0;
    switch (envelope.type) {
      case 'tell':
        this.#handlers.received?.({ head: envelope.head, body });
        break;
      case 'ask':
        void this.#answer(id, { head: envelope.head, body });
        break;
      case 'answer':
        this.#waiting.get(id)?.resolve({ head: envelope.head, body });
        break;
      case 'failure':
        this.#waiting.get(id)?.reject(new PeerFailure(String(envelope.head)));
        break;
    }
  }

  async #answer(id: number, question: Message): Promise<void> {
    try {
      if (!this.#handlers.asked) throw new PeerFailure('this process answers no questions');
      const answer = await this.#handlers.asked(question);
      this.#write({ type: 'answer', id, head: answer.head }, answer.body ?? nothing);
    } catch (error) {
      this.#write(
        { type: 'failure', id, head: error instanceof Error ? error.message : String(error) },
        nothing,
      );
    }
  }

  #end(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) {
      reject(new PeerFailure('the other process is gone'));
    }
    this.#waiting.clear();
    this.#handlers.closed?.();
  }
}
