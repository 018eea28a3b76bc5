/** A reverse proxy before an installation, which loses answers, cuts them off or puts its own in their place. */
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeHttp, listenOnLoopback } from './farm/loopback.ts';

export type Fault =
  /** A page of the proxy's own; the server is not asked. */
  | { readonly kind: 'page'; readonly status: number }
  /** The server answers; half of the body comes, and then the connection is closed. */
  | { readonly kind: 'cut' }
  /** As above, but the connection stays open, and nothing more comes. */
  | { readonly kind: 'stall' }
  /** The server is asked only when this is over. */
  | { readonly kind: 'hold'; readonly until: Promise<void> };

const page = (status: number): string =>
  `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;

export class ReverseProxy implements AsyncDisposable {
  /** What is wrong with a path just now; null: nothing. */
  faultAt: (path: string) => Fault | null = () => null;
  /** Paths that were asked for, oldest first. */
  readonly asked: string[] = [];

  readonly #serverPort: number;
  readonly #server: Server;
  #port = 0;
  readonly #sockets = new Set<Duplex>();

  private constructor(serverPort: number) {
    this.#serverPort = serverPort;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async start(serverPort: number): Promise<ReverseProxy> {
    const proxy = new ReverseProxy(serverPort);
    proxy.#port = await listenOnLoopback(proxy.#server);
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = closeHttp(this.#server);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    this.asked.push(pathname);
    const fault = this.faultAt(pathname);
    if (fault?.kind === 'page') return this.#say(fault.status, response);
    if (fault?.kind === 'hold') await fault.until;
    const { method, url, headers } = request;
    const passed = ask({ host: '127.0.0.1', port: this.#serverPort, method, path: url, headers });
    passed.once('error', () => this.#lost(response));
    passed.once('response', (reply) => {
      if (fault?.kind === 'cut' || fault?.kind === 'stall') void half(reply, response, fault.kind);
      else {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.once('error', () => response.destroy());
        reply.pipe(response);
      }
    });
    request.pipe(passed);
  }

  #say(status: number, response: ServerResponse): void {
    response.writeHead(status, { 'content-type': 'text/html' }).end(page(status));
  }

  #lost(response: ServerResponse): void {
    if (response.headersSent) response.destroy();
    else this.#say(502, response);
  }

  /** WebSockets are passed on as they are. */
  #upgrade({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const server: Socket = connect(this.#serverPort, '127.0.0.1');
    for (const end of [server, socket]) {
      this.#sockets.add(end);
      end.once('close', () => {
        this.#sockets.delete(end);
        (end === server ? socket : server).destroy();
      });
      end.once('error', () => end.destroy());
    }
    const lines = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
    );
    server.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    server.write(head);
    server.pipe(socket).pipe(server);
  }
}

/** The length is sent as it should have been, so that the browser knows that something is missing. */
async function half(
  reply: IncomingMessage,
  response: ServerResponse,
  kind: 'cut' | 'stall',
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of reply) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const { 'transfer-encoding': _chunked, ...headers } = reply.headers;
  response.writeHead(reply.statusCode ?? 500, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    if (kind === 'cut') response.destroy();
  });
}
