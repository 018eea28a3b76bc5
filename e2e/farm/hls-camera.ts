/** A scripted camera on loopback that plays a film by HTTP Live Streaming: as it is made, or all of it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Credentials } from './behaviour.ts';
import { accepts, challenge } from './credentials.ts';
import { closeHttp, listenOnLoopback } from './loopback.ts';

export interface HlsFilm {
  readonly segments: readonly Buffer[];
  /** What segments of MP4 begin with; null for MPEG-TS. */
  readonly head: Buffer | null;
  readonly secondsEach: number;
}

export interface HlsCameraOptions {
  readonly film: HlsFilm;
  readonly credentials?: Credentials;
  /** Where the segments are; here when left out. */
  readonly elsewhere?: () => string;
  /** Lines put before the segments. */
  readonly more?: readonly string[];
  /** All of the film at once, with its end. */
  readonly isWhole?: boolean;
  /** Names its streams first, a small one before the one with the film. */
  readonly hasChoice?: boolean;
}

const windowSegments = 4;

export class HlsCamera implements AsyncDisposable {
  /** Paths that were asked for, with what was said about who asks. */
  readonly received: { readonly path: string; readonly authorization: string | undefined }[] = [];
  readonly #options: HlsCameraOptions;
  readonly #server: Server;
  /** When it was asked first. */
  #startedMs: number | null = null;
  #port = 0;

  private constructor(options: HlsCameraOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  static async start(options: HlsCameraOptions): Promise<HlsCamera> {
    const camera = new HlsCamera(options);
    camera.#port = await listenOnLoopback(camera.#server);
    return camera;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get url(): string {
    return `${this.origin}/live/${this.#options.hasChoice ? 'all' : 'list'}.m3u8`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeHttp(this.#server);
  }

  #serve({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const { credentials, film } = this.#options;
    this.received.push({ path: url, authorization: headers.authorization });
    if (credentials && !accepts(credentials, 'GET', headers.authorization)) {
      response.writeHead(401, { 'www-authenticate': challenge(credentials) }).end();
    } else if (url === '/live/all.m3u8') this.#tell(response, this.#choice());
    else if (url === '/live/list.m3u8') this.#tell(response, this.#list());
    else {
      const number = /^\/live\/(\d+)\.seg$/.exec(url)?.[1];
      const bytes = url === '/live/head.mp4' ? film.head : film.segments[Number(number ?? -1)];
      if (!bytes) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
    }
  }

  #tell(response: ServerResponse, lines: readonly string[]): void {
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' });
    response.end(`${lines.join('\n')}\n`);
  }

  #choice(): string[] {
    return [
      '#EXTM3U',
      '#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=16x16',
      'small.m3u8',
      '#EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=900000',
      'list.m3u8',
    ];
  }

  /** What was made up to now: the newest few, from the film's beginning on. */
  #list(): string[] {
    const { film, isWhole, more = [], elsewhere } = this.#options;
    const base = elsewhere ? `${elsewhere()}/live/` : '';
    this.#startedMs ??= performance.now();
    const passed = (performance.now() - this.#startedMs) / 1000 / film.secondsEach;
    const end = isWhole ? film.segments.length : Math.floor(windowSegments + passed);
    const until = Math.min(film.segments.length, end);
    const from = isWhole ? 0 : Math.max(0, until - windowSegments);
    const named = Array.from({ length: until - from }, (_, index) => [
      `#EXTINF:${film.secondsEach.toFixed(3)},`,
      `${base}${from + index}.seg`,
    ]);
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${Math.ceil(film.secondsEach)}`,
      `#EXT-X-MEDIA-SEQUENCE:${from}`,
      ...more,
      ...(film.head ? [`#EXT-X-MAP:URI="${base}head.mp4"`] : []),
      ...named.flat(),
      ...(isWhole ? ['#EXT-X-ENDLIST'] : []),
    ];
  }
}
