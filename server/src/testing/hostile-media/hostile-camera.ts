/** A camera on loopback that sends something wrong at each connection, or what is right once a test wants that. */
import { createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { Chance } from '../chance.ts';
import { performed, spoiled, type Performance, type Session } from './sessions.ts';

/** Who does not understand an answer asks nothing more: the connection ends then. */
const patienceMs = 300;
const pictureMs = 40;

export class HostileCamera implements AsyncDisposable {
  readonly session: Session;
  /** From the next connection on. */
  isGood = false;
  /** Connections that were sent something wrong. */
  served = 0;
  /** What the newest of them were sent. */
  readonly kinds: string[] = [];
  /** When a connection that is good began to be answered, by `performance.now`. */
  goodAtMs: number | null = null;
  readonly #seed: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  private constructor(session: Session, seed: number) {
    this.session = session;
    this.#seed = seed;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(session: Session, seed: number): Promise<HostileCamera> {
    const camera = new HostileCamera(session, seed);
    camera.#port = await listenOnLoopback(camera.#server);
    return camera;
  }

  get url(): string {
    return `${this.session.scheme}://127.0.0.1:${this.#port}/stream`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    for (const socket of this.#sockets) socket.destroy();
    await closed.promise;
  }

  #serve(socket: Socket): void {
    const isGood = this.isGood;
    const performance = isGood ? performed(this.session) : this.#nextSpoiled();
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    let text = '';
    let asked = 0;
    let impatient: NodeJS.Timeout | null = null;
    socket.on('data', (chunk: Buffer) => {
      clearTimeout(impatient ?? undefined);
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        text = text.slice(end + 4);
        this.#answer(socket, performance, asked++, isGood);
      }
      if (!isGood) impatient = setTimeout(() => socket.destroy(), patienceMs);
    });
  }

  #nextSpoiled(): Performance {
    const performance = spoiled(this.session, new Chance(this.#seed + this.served));
    this.served += 1;
    this.kinds.push(performance.kind);
    if (this.kinds.length > 4) this.kinds.shift();
    return performance;
  }

  #answer(socket: Socket, { answers }: Performance, which: number, isGood: boolean): void {
    const answer = answers[which];
    if (!answer) return;
    if (isGood) this.goodAtMs ??= performance.now();
    socket.write(answer);
    if (which < answers.length - 1) return;
    if (isGood && this.session.isEndless) this.#playOn(socket);
    else socket.end();
  }

  #playOn(socket: Socket): void {
    const { pictures, framed } = this.session;
    let index = pictures.length;
    const timer = setInterval(() => {
      socket.write(framed(pictures[index % pictures.length]!, index));
      index += 1;
    }, pictureMs);
    socket.on('close', () => clearInterval(timer));
  }
}
