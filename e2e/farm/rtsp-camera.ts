/**
 * A scripted RTSP camera on loopback: plays a film in a loop over TCP (RFC 2326, interleaved) and behaves or
 * misbehaves as configured.
 */
import { createSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { dripEveryMs, rubbish, type Behaviour, type Credentials } from './behaviour.ts';
import { accepts, challenge } from './credentials.ts';
import type { Film } from './film.ts';
import { listenOnLoopback } from './loopback.ts';
import { Packetiser, unitsOf } from './rtp.ts';
import { closes, said, sent as sentWith, type PacketQuirk, type WordQuirk } from './rtsp-quirks.ts';
import { SoundPlayer, soundSdp, type SoundKind } from './sound.ts';

/**
 * `bare-base`: its Content-Base has no scheme. `path-base`: nor a host. `session-each`: it names another session with
 * each stream and plays the first alone. `grants-udp`: asked for TCP it grants UDP. `no-range`: it plays only who names
 * no range. `joined-units`: parameter sets and key picture come as one unit with start codes inside. `two-sessions`: it
 * serves two at a time. `loses-packets`: every 20th picture is lost on the way. Others: `rtsp-quirks.ts`.
 */
export type Quirk =
  | 'bare-base'
  | 'path-base'
  | 'session-each'
  | 'grants-udp'
  | 'no-range'
  | 'joined-units'
  | 'two-sessions'
  | 'loses-packets'
  | PacketQuirk
  | WordQuirk;

/** So many a camera serves that serves few. */
const maxSessions = 2;

export interface RtspCameraOptions {
  readonly film: Film;
  readonly credentials?: Credentials;
  readonly behaviour?: Behaviour;
  /** Refuses to send over TCP, as a few old ones do. */
  readonly udpOnly?: boolean;
  /** What its firmware does that no standard says. */
  readonly quirk?: Quirk;
  /** Lines that it adds to each answer, and to its session description. */
  readonly says?: { readonly heads: readonly string[]; readonly sdp: readonly string[] };
  /** Where its stream is; `/stream` when absent. */
  readonly path?: string;
  /** Seconds that a session lives without a word; 60 when absent. */
  readonly sessionTimeoutS?: number;
  /** Understands only who calls itself something with this in it. */
  readonly talksTo?: string;
  /** The sound it sends; absent: none. */
  readonly sound?: SoundKind;
}

export class RtspCamera implements AsyncDisposable {
  behaviour: Behaviour;
  film: Film;
  credentials: Credentials | null;
  /** Connections accepted so far. */
  connections = 0;
  /** Sessions that were begun and not ended by a word. */
  sessions = 0;
  /** Every request line and header that arrived, for tests that search for what must not be there. */
  readonly received: string[] = [];
  readonly #sound: SoundKind | null;
  readonly #udpOnly: boolean;
  readonly #quirk: Quirk | null;
  readonly #says: NonNullable<RtspCameraOptions['says']>;
  readonly #path: string;
  readonly #sessionTimeoutS: number;
  readonly #talksTo: string;
  /** Pictures sent so far, and who waits for how many. */
  #played = 0;
  #waiting: { readonly pictures: number; readonly resolve: () => void }[] = [];
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;

  constructor(options: RtspCameraOptions) {
    const { film, credentials, behaviour, sound, udpOnly } = options;
    this.film = film;
    this.#sessionTimeoutS = options.sessionTimeoutS ?? 60;
    this.#talksTo = options.talksTo ?? '';
    this.#sound = sound ?? null;
    this.#udpOnly = udpOnly ?? false;
    this.#quirk = options.quirk ?? null;
    this.#says = options.says ?? { heads: [], sdp: [] };
    this.#path = options.path ?? '/stream';
    this.credentials = credentials ?? null;
    this.behaviour = behaviour ?? { kind: 'ok' };
  }

  static async start(options: RtspCameraOptions): Promise<RtspCamera> {
    const camera = new RtspCamera(options);
    await camera.listen();
    return camera;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `rtsp://127.0.0.1:${this.#port}${this.#path}`;
  }

  /** Opens the port, the same one as before when it was closed. */
  async listen(): Promise<void> {
    const server = createServer((socket) => this.#serve(socket));
    this.#port = await listenOnLoopback(server, this.#port);
    this.#server = server;
  }

  /** Resolves when that many pictures were sent in all. */
  async hasPlayed(pictures: number): Promise<void> {
    if (this.#played >= pictures) return;
    const enough = Promise.withResolvers<void>();
    this.#waiting.push({ pictures, resolve: enough.resolve });
    await enough.promise;
  }

  /** Ends all connections; new ones may come. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#server?.close(() => closed.resolve());
    this.cut();
    if (this.#server) await closed.promise;
    this.#server = null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #serve(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    let playing: NodeJS.Timeout | null = null;
    let text = '';
    let hasSound = false;
    let udpPort: number | null = null;
    socket.on('close', () => {
      this.#sockets.delete(socket);
      clearTimeout(playing ?? undefined);
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end);
        text = text.slice(end + 4);
        this.received.push(request);
        const method = /^\S+/.exec(request)?.[0] ?? '';
        udpPort ??= udpPortIn(request);
        hasSound ||= method === 'SETUP' && request.includes('track2');
        if (this.#answer(socket, method, request) && method === 'PLAY') {
          playing ??= this.#play(socket, udpPort, hasSound);
        }
      }
    });
  }

  /** False when the request was not granted. */
  #answer(socket: Socket, method: string, request: string): boolean {
    const { behaviour, credentials } = this;
    if (behaviour.kind === 'hang' && behaviour.after === 0) return false;
    if (behaviour.kind === 'rubbish' && behaviour.after === 0) {
      socket.write(rubbish(64 * 1024));
      return false;
    }
    const sequence = /^cseq:\s*(\d+)/im.exec(request)?.[1] ?? '0';
    const reply = (status: string, heads: readonly string[] = [], body = ''): void => {
      const length = body ? [`Content-Length: ${body.length}`] : [];
      const lines = [
        `RTSP/1.0 ${status}`,
        `CSeq: ${sequence}`,
        ...this.#says.heads,
        ...heads,
        ...length,
      ];
      const words = said(this.#quirk, request, `${lines.join('\r\n')}\r\n\r\n${body}`);
      if (words === closes) socket.destroy();
      else if (words !== null) socket.write(words);
    };
    if (method === 'TEARDOWN') this.sessions -= 1;
    if (method === 'PLAY') this.sessions += 1;
    if (this.#quirk === 'two-sessions' && method === 'DESCRIBE' && this.sessions >= maxSessions) {
      reply('453 Not Enough Bandwidth');
      return false;
    }
    if (!request.includes(this.#talksTo)) {
      reply('551 Option not supported');
      return false;
    }
    const given = /^authorization:\s*(.+)$/im.exec(request)?.[1]?.trim();
    const refused = credentials && !accepts(credentials, method, given);
    if (method !== 'OPTIONS' && (behaviour.kind === 'refuse' || refused)) {
      const asked = credentials ?? { scheme: 'basic', username: '', password: '' };
      reply('401 Unauthorized', [`WWW-Authenticate: ${challenge(asked)}`]);
      return false;
    }
    if (method === 'DESCRIBE' && behaviour.kind === 'missing') reply('404 Not Found');
    else if (method === 'DESCRIBE' && behaviour.kind === 'redirect') {
      reply('302 Moved', [`Location: ${behaviour.to}`]);
    } else if (method === 'DESCRIBE') {
      reply(
        '200 OK',
        ['Content-Type: application/sdp', `Content-Base: ${this.#base()}`],
        this.#sdp(),
      );
    } else if (method === 'SETUP' && !request.includes(`SETUP ${this.url}/track`)) {
      reply('404 Not Found');
      return false;
    } else if (method === 'SETUP' && this.#quirk === 'grants-udp' && udpPortIn(request) === null) {
      reply('200 OK', ['Transport: RTP/AVP;unicast;server_port=9-9', 'Session: 1;timeout=60']);
    } else if (method === 'SETUP' && (this.#udpOnly || this.#quirk === 'grants-udp')) {
      const port = udpPortIn(request);
      if (port === null) {
        reply('461 Unsupported Transport');
        return false;
      }
      reply('200 OK', [
        `Transport: RTP/AVP;unicast;client_port=${port}-${port + 1};server_port=9-9`,
        'Session: 1;timeout=60',
      ]);
    } else if (method === 'SETUP') {
      const channels = /interleaved=([\d-]+)/i.exec(request)?.[1] ?? '0-1';
      const transport = `Transport: RTP/AVP/TCP;unicast;interleaved=${channels}`;
      const session = this.#quirk === 'session-each' && request.includes('track2') ? 2 : 1;
      reply('200 OK', [transport, `Session: ${session};timeout=${this.#sessionTimeoutS}`]);
    } else if (method === 'PLAY' && !/^session: *1\b/im.test(request)) {
      reply('454 Session Not Found');
      return false;
    } else if (method === 'PLAY' && this.#quirk === 'no-range' && /^range:/im.test(request)) {
      reply('457 Invalid Range');
      return false;
    } else if (method === 'PLAY') reply('200 OK', ['Session: 1', 'Range: npt=0.000-']);
    else reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER']);
    return true;
  }

  #base(): string {
    const { url } = this;
    if (this.#quirk === 'bare-base') return `${url.replace('rtsp://', '')}/`;
    return this.#quirk === 'path-base' ? '/stream/' : `${url}/`;
  }

  #sdp(): string {
    const units = unitsOf(this.film.units[0] ?? Buffer.alloc(0));
    const set = (type: number): string =>
      units.find((unit) => ((unit[0] ?? 0) & 31) === type)?.toString('base64') ?? '';
    return [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=farm',
      'c=IN IP4 0.0.0.0',
      't=0 0',
      ...this.#says.sdp,
      'm=video 0 RTP/AVP 96',
      'a=rtpmap:96 H264/90000',
      `a=fmtp:96 packetization-mode=1;sprop-parameter-sets=${set(7)},${set(8)}`,
      'a=control:track1',
      ...(this.#sound ? soundSdp(this.#sound) : []),
      '',
    ].join('\r\n');
  }

  #play(socket: Socket, udpPort: number | null, hasSound: boolean): NodeJS.Timeout {
    const byUdp = this.#udpOnly || this.#quirk === 'grants-udp';
    const send = byUdp && udpPort !== null ? overUdp(socket, udpPort) : overTcp(socket);
    const packetiser = new Packetiser(this.#quirk === 'joined-units');
    const sound = this.#sound ? new SoundPlayer(this.#sound) : null;
    const startedMs = performance.now();
    let sent = 0;
    let [playing, since] = [this.film, 0];
    const timer = setInterval(() => {
      const { film } = this;
      // Another film begins at its beginning, as a camera that was set anew does.
      if (film !== playing) [playing, since] = [film, sent];
      const seconds = (performance.now() - startedMs) / 1000;
      if (sound && hasSound && !socket.destroyed) send(sound.packetsUntil(seconds));
      const due = seconds * film.fps;
      while (sent <= due && !socket.destroyed) {
        if (!this.#mayPlay(socket, sent, timer)) return;
        const index = (sent - since) % film.units.length;
        const unit = film.units[index] ?? Buffer.alloc(0);
        const shownAs = sent - index + (film.shownAs?.[index] ?? index);
        const frames = packetiser.packets(unit, Math.round((shownAs * 90_000) / film.fps));
        const isLost = this.#quirk === 'loses-packets' && sent % 20 === 19;
        if (!isLost) send(sentWith(this.#quirk, frames, sent));
        sent += 1;
        this.#count();
      }
    }, 1000 / this.film.fps);
    return timer;
  }

  #count(): void {
    this.#played += 1;
    this.#waiting = this.#waiting.filter(({ pictures, resolve }) => {
      if (this.#played < pictures) return true;
      resolve();
      return false;
    });
  }

  /** False when the script has something else in mind than the next picture. */
  #mayPlay(socket: Socket, sent: number, timer: NodeJS.Timeout): boolean {
    const { behaviour } = this;
    if (behaviour.kind === 'freeze') return false;
    if (!('after' in behaviour) || sent < behaviour.after) return true;
    if (behaviour.kind === 'drop') socket.destroy();
    if (behaviour.kind === 'rubbish') socket.write(rubbish(4096, sent + 1));
    if (behaviour.kind === 'drip') {
      clearInterval(timer);
      const drops = setInterval(() => socket.write('$'), dripEveryMs);
      socket.on('close', () => clearInterval(drops));
    }
    return false;
  }
}

/** Packets framed for RTSP over TCP, on their way. */
type Send = (interleaved: Buffer) => void;

const overTcp =
  (socket: Socket): Send =>
  (interleaved) =>
    void socket.write(interleaved);

/** Pictures alone: each packet on its own, without the frame. */
function overUdp(socket: Socket, port: number): Send {
  const udp = createSocket('udp4');
  // Another address than the one that was connected to: a client behind a relay is sent packets past it.
  udp.bind(0, '127.0.0.2');
  socket.on('close', () => udp.close());
  return (interleaved) => {
    for (let at = 0; at + 4 <= interleaved.length;) {
      const end = at + 4 + interleaved.readUInt16BE(at + 2);
      udp.send(interleaved.subarray(at + 4, end), port, '127.0.0.1');
      at = end;
    }
  };
}

/** Where who asks wants packets by UDP. */
function udpPortIn(request: string): number | null {
  const port = /client_port=(\d+)/i.exec(request)?.[1];
  return port === undefined ? null : Number(port);
}
