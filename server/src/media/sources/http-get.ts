/**
 * GET requests to a camera: dialled by our own policy at every hop, with at most three redirects and credentials only
 * for the host they were given for.
 */
import { get, type IncomingMessage, type RequestOptions } from 'node:http';
import { destinationOf, dial } from './dial/dial.ts';
import { IngestFault } from '../protocol/fault.ts';
import { answerTo, type Credentials } from './digest.ts';
import type { SourceContext } from './source.ts';
import { onSilence } from './silence.ts';
import { silenceTimeoutMs } from './watchdog.ts';

const maxRedirects = 3;
const maxHeaderSize = 16 * 1024;

/** An answer whose body was not read yet, and the address that it came from. */
export interface Placed {
  readonly answer: IncomingMessage;
  /** The address after redirects. */
  readonly url: URL;
  readonly asked: URL;
}

/** Heads of a request beside those that each has. */
type Heads = Readonly<Record<string, string>>;

/** Resolves with the answer; its body was not read yet. */
export async function getFrom(
  url: URL,
  given: Credentials | null,
  context: SourceContext,
  heads: Heads = {},
): Promise<IncomingMessage> {
  return (await getPlaced(url, given, context, heads)).answer;
}

export async function getPlaced(
  url: URL,
  given: Credentials | null,
  context: SourceContext,
  heads: Heads = {},
): Promise<Placed> {
  let target = url;
  let credentials = given;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const answer = await authorized(target, credentials, context, heads);
    const status = answer.statusCode ?? 0;
    if (status < 300 || status >= 400) {
      return { answer: checked(answer, status, 'range' in heads), url: target, asked: url };
    }
    answer.destroy();
    const next = URL.parse(answer.headers.location ?? '', target.href);
    if (!next) throw new IngestFault('not_found', 'redirected nowhere');
    if (!isStillFor(next, target)) credentials = null;
    target = next;
  }
  throw new IngestFault('not_found', 'too many redirects');
}

const isSecure = ({ protocol }: URL): boolean => /^(https|rtsps):$/.test(protocol);

/** Whether credentials for `given` may be sent to `next`: the same host, and not unencrypted after TLS. */
export function isStillFor(next: URL, given: URL): boolean {
  const isOpened = isSecure(given) && !isSecure(next);
  return next.host === given.host && !isOpened;
}

function checked(answer: IncomingMessage, status: number, inParts: boolean): IncomingMessage {
  if (status === 200 || (inParts && status === 206)) return answer;
  answer.destroy();
  if (status === 401 || status === 403) throw new IngestFault('password_refused');
  if (status === 404 || status === 410) throw new IngestFault('not_found');
  throw new IngestFault('unreachable', `HTTP status ${status}`);
}

/** Authenticates once, when the camera asks for it. */
async function authorized(
  target: URL,
  credentials: Credentials | null,
  context: SourceContext,
  heads: Heads,
): Promise<IncomingMessage> {
  const answer = await request(target, heads, context);
  if (answer.statusCode !== 401 || !credentials) return answer;
  const asked = { method: 'GET', uri: `${target.pathname}${target.search}` };
  const authorization = answerTo(answer.headers['www-authenticate'] ?? '', asked, credentials);
  if (!authorization) return answer;
  answer.destroy();
  // Node writes a header byte by byte; a user name may have letters of any alphabet, which go as UTF-8 (RFC 7616, 3.4).
  const bytes = Buffer.from(authorization).toString('latin1');
  return await request(target, { ...heads, authorization: bytes }, context);
}

async function request(
  target: URL,
  heads: Heads,
  context: SourceContext,
): Promise<IncomingMessage> {
  const to = destinationOf(target, 'http');
  if (!to) throw new IngestFault('address_refused', 'no HTTP');
  const socket = await dial(to, context.dialer, context.signal);
  const found = Promise.withResolvers<IncomingMessage>();
  let silent = false;
  onSilence(socket, silenceTimeoutMs, () => {
    silent = true;
    socket.destroy();
  });
  const options: RequestOptions = {
    createConnection: () => socket,
    path: `${target.pathname}${target.search}`,
    headers: {
      host: target.host,
      connection: 'close',
      ...heads,
    },
    maxHeaderSize,
    signal: context.signal,
  };
  const failed = (error: Error): void => {
    const parsed = 'code' in error && String(error.code).startsWith('HPE_');
    const cause = silent ? 'no_packets' : parsed ? 'not_video' : 'ended';
    found.reject(new IngestFault(cause, 'no answer', error));
  };
  get(options, (answer) => {
    // From here on the watchdog of the ingest watches packets instead.
    socket.setTimeout(0);
    context.observer?.replied({ protocol: 'http', method: 'GET', head: headOf(answer), body: '' });
    found.resolve(answer);
  })
    .on('error', failed)
    // Node closes the connection without an error when a camera answers 101.
    .on('close', () => found.reject(new IngestFault('ended', 'no answer')));
  return await found.promise;
}

/** Status line and headers as the camera sent them. */
function headOf({ httpVersion, statusCode = 0, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/${httpVersion} ${statusCode}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  return lines.join('\r\n');
}
