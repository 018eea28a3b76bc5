/** An open Dashboard as the server sees it: the socket of news, and what a page asks by itself and after news. */
import { WebSocket } from 'ws';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { newsSocketPath } from '@nazar/contract/sockets.ts';
import { systemRoutes } from '@nazar/contract/system.ts';

/** DASH-002. */
const refetchMs = 30_000;

const queries = {
  summary: `${analyticsRoutes.summary.path}?timezone=Asia%2FBaku`,
  detections: `${visitRoutes.detections.path}?limit=5`,
  cameras: cameraRoutes.list.path,
  health: systemRoutes.health.path,
} as const;
type Query = keyof typeof queries;

export class Dashboard implements Disposable {
  /** Questions, and messages of the socket. */
  asked = 0;
  received = 0;
  readonly opened: Promise<unknown>;
  readonly #socket: WebSocket;
  readonly #origin: string;
  readonly #token: string;
  readonly #timers = new Map<Query, NodeJS.Timeout>();
  /** A question that is asked again is given up first. */
  readonly #asking = new Map<Query, AbortController>();

  constructor(port: number, token: string) {
    this.#origin = `http://127.0.0.1:${port}`;
    this.#token = token;
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}${newsSocketPath}`);
    this.opened = new Promise((resolve, reject) => {
      this.#socket.once('open', resolve);
      this.#socket.once('error', reject);
    });
    this.#socket.on('open', () => this.#socket.send(JSON.stringify({ access: token })));
    this.#socket.on('message', (data: Buffer) => this.#hear(data));
    for (const query of Object.keys(queries) as Query[]) this.#ask(query);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const asking of this.#asking.values()) asking.abort();
    this.#socket.close();
  }

  #hear(data: Buffer): void {
    this.received += 1;
    const { kind, what } = JSON.parse(data.toString()) as { kind: string; what?: string };
    // `seen` is what versions before said of each visit.
    if (kind === 'seen' || what === 'detections') this.#ask('detections');
    if (kind === 'seen' || what === 'detections' || what === 'visits') this.#ask('summary');
  }

  #ask(query: Query): void {
    clearTimeout(this.#timers.get(query));
    this.#asking.get(query)?.abort();
    const asking = new AbortController();
    this.#asking.set(query, asking);
    this.asked += 1;
    void this.#read(query, asking.signal);
    this.#timers.set(
      query,
      setTimeout(() => this.#ask(query), refetchMs),
    );
  }

  async #read(query: Query, signal: AbortSignal): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}`, 'accept-encoding': 'gzip, zstd' };
    try {
      const reply = await fetch(this.#origin + queries[query], { headers, signal });
      await reply.arrayBuffer();
      if (!reply.ok) process.stderr.write(`${query}: ${reply.status}\n`);
    } catch (error) {
      if (!signal.aborted) process.stderr.write(`${query}: ${String(error)}\n`);
    }
  }
}
