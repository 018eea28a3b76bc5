/** How a camera is asked for its streams: what it has, which of it, over this connection, now (RFC 2326, 10). */
import { IngestFault } from '../../protocol/fault.ts';
import { readSdp, type SdpMedia } from './sdp.ts';
import type { Reply, RtspConnection } from './connection.ts';

/** What it has, and where it is asked for. */
export interface Description {
  readonly media: readonly SdpMedia[];
  readonly urlOf: (media: SdpMedia) => string;
  /** The address that controls all streams together. */
  readonly url: string;
}

/** A camera wants to be asked for something else: elsewhere. */
export class Redirected extends Error {
  readonly location: string;

  constructor(location: string) {
    super('redirected');
    this.location = location;
  }
}

/** A camera that does not do what is asked here; another way of asking may be understood. */
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
  const base = reply.header('content-base') || reply.header('content-location') || url;
  const { control, media } = readSdp(reply.body);
  return {
    media,
    url: joined(base, control),
    urlOf: (of) => joined(base, of.control),
  };
}

/** What a camera grants. */
export interface Granted {
  /** That packets come by; reports about them by the next one. */
  readonly channel: number;
  /** So long the session lives without a word. */
  readonly timeoutMs: number;
}

/** Seconds (RFC 2326, 12.37). */
const usualTimeoutS = 60;

/** `channel` is what it is asked for. */
export async function setUp(
  connection: RtspConnection,
  url: string,
  channel: number,
): Promise<Granted> {
  const wanted = `Transport: RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`;
  const reply = checked(await connection.ask('SETUP', url, [wanted]));
  const granted = /interleaved=(\d{1,3})/i.exec(reply.header('transport'))?.[1];
  if (granted === undefined) throw new NotUnderstood(reply.status);
  const [id = '', ...parts] = reply.header('session').split(';');
  connection.setSession(id.trim());
  const timeout = parts.map((part) => /^\s*timeout=(\d{1,5})/i.exec(part)?.[1]).find(Boolean);
  return { channel: Number(granted), timeoutMs: (Number(timeout ?? 0) || usualTimeoutS) * 1000 };
}

/** From here on packets come. */
export async function play(connection: RtspConnection, url: string): Promise<void> {
  checked(await connection.ask('PLAY', url, ['Range: npt=0.000-']));
}

/** Says something twice in the time that the session lives without a word, until it is disposed. */
export function keepAlive(connection: RtspConnection, url: string, timeoutMs: number): Disposable {
  let method = 'GET_PARAMETER';
  const speak = async (): Promise<void> => {
    const { status } = await connection.ask(method, url);
    // Old cameras know no parameters; all know this.
    if (status === 405 || status === 501 || status === 551) method = 'OPTIONS';
  };
  const timer = setInterval(() => void speak().catch(() => undefined), timeoutMs / 2 - 500);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function checked(reply: Reply): Reply {
  const { status } = reply;
  if (status >= 200 && status < 300) return reply;
  if (status >= 300 && status < 400) throw new Redirected(reply.header('location'));
  throw faultOfStatus(status) ?? new NotUnderstood(status);
}

/** What is the camera's own answer to who asks or what is asked for; null for any other status. */
export function faultOfStatus(status: number): IngestFault | null {
  if (status === 401 || status === 403) return new IngestFault('password_refused');
  if (status === 404 || status === 454) return new IngestFault('not_found');
  return status === 415 ? new IngestFault('unsupported_codec') : null;
}

function joined(base: string, control: string): string {
  const isWhole = /^rtsps?:\/\//i.test(control);
  const slash = base.endsWith('/') || control.startsWith('/') ? '' : '/';
  const url = isWhole ? control : control === '' || control === '*' ? base : base + slash + control;
  // It becomes a line of what we say.
  if (!/^[\x21-\x7e]{1,2000}$/.test(url))
    throw new IngestFault('damaged', 'no address of a stream');
  return url;
}
