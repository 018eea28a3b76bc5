/** A receiver of webhooks on loopback, which verifies signatures by the package of Standard Webhooks, and misbehaves. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import { closeHttp, listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { Webhook } from 'standardwebhooks';
import { until } from './until.ts';

/** What of an alert the tests look at. */
export interface ReceivedAlert {
  readonly id: string;
  readonly kind: string;
  readonly level: string;
  readonly ended_at: string | null;
  readonly count: number;
  readonly camera: { readonly id: string; readonly name?: string } | null;
  readonly people?: readonly { readonly id: string; readonly name: string }[];
  readonly url?: string | null;
}

export interface Received {
  readonly id: string;
  /** In seconds. */
  readonly timestamp: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: {
    readonly type: string;
    readonly timestamp: string;
    /** Empty in a test event. */
    readonly data: { readonly alert: ReceivedAlert };
  };
}

/** A status; or it never answers, sends elsewhere (to its own `/elsewhere`), or sends 10 MB after the status 200. */
export type Behaviour = number | 'hang' | 'redirect' | 'flood';

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** What it does with the nth request, from 0; the last one lasts. */
  behaviours: readonly Behaviour[];
  /** Bytes of floods that went out, or wait in the system to be taken. */
  readonly sentBytes: number;
  /** Answers what hangs. */
  release(): void;
  came(count: number): Promise<void>;
}

const floodBytes = 10 * 1024 * 1024;
const chunkBytes = 16 * 1024;

function* flood(sent: () => void): Generator<Buffer> {
  for (let bytes = 0; bytes < floodBytes; bytes += chunkBytes) {
    sent();
    yield Buffer.alloc(chunkBytes);
  }
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const hanging = new Set<ServerResponse>();
  let sentBytes = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('error', () => undefined);
    const body = await text(request);
    const behaviour = it.behaviours[it.received.length] ?? it.behaviours.at(-1) ?? 200;
    it.received.push(receivedOf(request, body));
    if (behaviour === 'hang') hanging.add(response);
    else if (behaviour === 'redirect') {
      response.writeHead(307, { location: `${it.url}elsewhere` }).end();
    } else if (behaviour === 'flood') {
      response.writeHead(200);
      Readable.from(flood(() => (sentBytes += chunkBytes))).pipe(response);
    } else response.writeHead(behaviour).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  const port = await listenOnLoopback(server, 0);
  const it: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/`,
    port,
    received: [],
    behaviours: [200],
    get sentBytes() {
      return sentBytes;
    },
    release() {
      for (const response of hanging) response.writeHead(200).end();
      hanging.clear();
    },
    came: (count) => until(() => it.received.length >= count),
    [Symbol.asyncDispose]: () => closeHttp(server),
  };
  return it;
}

function receivedOf({ headers, url = '' }: IncomingMessage, body: string): Received {
  const kept = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const json = JSON.parse(body) as Received['json'];
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  return { id, timestamp, path: url, headers: Object.fromEntries(kept), body, json };
}

/** Whether the package of Standard Webhooks takes it, at the moment at which it was sent: it refuses what is older. */
export function isSigned({ headers, body, timestamp }: Received, secret: string): boolean {
  mock.timers.enable({ apis: ['Date'], now: Number(timestamp) * 1_000 });
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  } finally {
    mock.timers.reset();
  }
}
