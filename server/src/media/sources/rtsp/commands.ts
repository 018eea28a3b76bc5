/** The RTSP requests DESCRIBE, SETUP and PLAY, and the keep-alive of the session (RFC 2326, 10). */
import { IngestFault } from '../../protocol/fault.ts';
import { readSdp, type SdpMedia } from './sdp.ts';
import type { Reply, RtspConnection } from './connection.ts';

/** The camera's streams, and the addresses to request them by. */
export interface Description {
  readonly media: readonly SdpMedia[];
  readonly urlOf: (media: SdpMedia) => string;
  /** The aggregate control URL. */
  readonly url: string;
}

/** The camera redirects the request to another address. */
export class Redirected extends Error {
  readonly location: string;

  constructor(location: string) {
    super('redirected');
    this.location = location;
  }
}

/** The camera refuses the request; it may accept another form of it. */
export class NotUnderstood extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`RTSP status ${status}`);
    this.status = status;
  }
}

/** Throws an IngestFault, `Redirected` or `NotUnderstood`. */
export async function describe(connection: RtspConnection, url: string): Promise<Description> {
  const reply = checked(await connection.ask('DESCRIBE', url, ['Accept: application/sdp']));
  const base = baseOf(reply.header('content-base') || reply.header('content-location'), url);
  const { control, media } = readSdp(reply.body);
  return {
    media,
    url: joined(base, control),
    urlOf: (of) => joined(base, of.control),
  };
}

/**
 * The address that a camera's control attributes are relative to (RFC 2326, C.1.1). Some cameras leave out its scheme
 * and host, or the scheme alone; then the address of the request stands in for what is missing.
 */
function baseOf(stated: string, requested: string): string {
  if (isWhole(stated)) return oneScheme(stated);
  return stated.startsWith('/') ? (URL.parse(stated, requested)?.href ?? requested) : requested;
}

/** Some cameras say the scheme twice. */
const oneScheme = (url: string): string => url.replace(/^(rtsps?:\/\/)(?:rtsps?:\/\/)+/i, '$1');

const isWhole = (url: string): boolean => /^rtsps?:\/\//i.test(url);

/** "Unsupported Transport" (RFC 2326): the camera does not send over TCP. */
export const unsupportedTransport = 461;

/** The transport that the camera granted. */
export interface Granted {
  /** The channel of RTP packets; RTCP reports come by the next one. */
  readonly channel: number;
  /** How long the session lives without a request. */
  readonly timeoutMs: number;
}

/** The default timeout of a session in seconds (RFC 2326, 12.37). */
const usualTimeoutS = 60;

/** `channel`: the channel to ask for; the camera may grant another. */
export async function setUp(
  connection: RtspConnection,
  url: string,
  channel: number,
): Promise<Granted> {
  const wanted = `Transport: RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`;
  const reply = checked(await connection.ask('SETUP', url, [wanted]));
  const transport = reply.header('transport');
  const granted = /interleaved=(\d{1,3})/i.exec(transport)?.[1];
  // Some cameras grant UDP where they were asked for TCP, instead of refusing it.
  if (granted === undefined && !/\/tcp\b/i.test(transport))
    throw new NotUnderstood(unsupportedTransport);
  const [id = '', ...parts] = reply.header('session').split(';');
  connection.holdSession(id.trim());
  const timeout = parts.map((part) => /^\s*timeout=(\d{1,5})/i.exec(part)?.[1]).find(Boolean);
  return {
    channel: Number(granted ?? channel),
    timeoutMs: (Number(timeout ?? 0) || usualTimeoutS) * 1000,
  };
}

/** Packets come from now on. */
export async function play(connection: RtspConnection, url: string): Promise<void> {
  const reply = await connection.ask('PLAY', url, ['Range: npt=0.000-']);
  // A few cameras know no range of what is live.
  const isRefused =
    reply.status >= 400 && reply.status < 500 && faultOfStatus(reply.status) === null;
  checked(isRefused ? await connection.ask('PLAY', url) : reply);
}

/** A camera that does not answer the first question may answer the next. */
const optionsTimeoutMs = 2_000;

/** The methods that the camera says it knows, in capitals; empty where it says nothing. */
export async function methodsOf(connection: RtspConnection, url: string): Promise<Set<string>> {
  const reply = await connection.askAtMost(optionsTimeoutMs, 'OPTIONS', url);
  const said = reply?.header('public').toUpperCase() ?? '';
  return new Set(said.split(/[\s,]+/).filter(Boolean));
}

/** However short a session lives, a camera is not asked more often. */
const shortestIntervalMs = 1_000;

/** Sends a request twice within the session's timeout, until it is disposed. */
export function keepAlive(
  connection: RtspConnection,
  url: string,
  timeoutMs: number,
  methods: ReadonlySet<string>,
): Disposable {
  // Old cameras do not know GET_PARAMETER, and some end the connection then; all know OPTIONS.
  const knows = methods.size === 0 || methods.has('GET_PARAMETER');
  let method = knows ? 'GET_PARAMETER' : 'OPTIONS';
  const intervalMs = Math.max(shortestIntervalMs, timeoutMs / 2 - 500);
  const speak = async (): Promise<void> => {
    const reply = await connection.askAtMost(intervalMs / 2, method, url);
    if (reply === null || reply.status >= 400) method = 'OPTIONS';
  };
  const timer = setInterval(() => void speak().catch(() => undefined), intervalMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function checked(reply: Reply): Reply {
  const { status } = reply;
  if (status >= 200 && status < 300) return reply;
  if (status >= 300 && status < 400) throw new Redirected(reply.header('location'));
  throw faultOfStatus(status) ?? new NotUnderstood(status);
}

/** The fault for a refused account, address or codec; null for any other status. */
export function faultOfStatus(status: number): IngestFault | null {
  if (status === 401 || status === 403) return new IngestFault('password_refused');
  if (status === 404 || status === 454) return new IngestFault('not_found');
  return status === 415 ? new IngestFault('unsupported_codec') : null;
}

function joined(base: string, control: string): string {
  const slash = base.endsWith('/') || control.startsWith('/') ? '' : '/';
  const url = isWhole(control)
    ? control
    : control === '' || control === '*'
      ? base
      : base + slash + control;
  // It becomes part of a request line.
  if (!/^[\x21-\x7e]{1,2000}$/.test(url))
    throw new IngestFault('damaged', 'no address of a stream');
  return url;
}
