/** A scripted HTTP camera on loopback: plays JPEGs as `multipart/x-mixed-replace`, and misbehaves as configured. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dripEveryMs, rubbish, type Behaviour, type Credentials } from './behaviour.ts';
import { accepts, challenge } from './credentials.ts';
import { closeHttp, listenOnLoopback } from './loopback.ts';

export interface MjpegCameraOptions {
  readonly jpegs: readonly Buffer[];
  readonly fps: number;
  readonly credentials?: Credentials;
  readonly behaviour?: Behaviour;
  /** Leaves out the length of each part, as some cameras do. */
  readonly withoutLengths?: boolean;
  /** Answers each question with one picture. */
  readonly onePictureEach?: boolean;
  /** Does not say that it is MJPEG. */
  readonly withoutType?: boolean;
}

const boundary = 'frame';

export class MjpegCamera implements AsyncDisposable {
  behaviour: Behaviour;
  connections = 0;
  /** Headers of every request that arrived. */
  readonly received: IncomingMessage['headers'][] = [];
  readonly #options: MjpegCameraOptions;
  readonly #server: Server;
  #port = 0;
  #shown = 0;

  private constructor(options: MjpegCameraOptions) {
    this.#options = options;
    this.behaviour = options.behaviour ?? { kind: 'ok' };
    this.#server = createServer((request, response) => this.#serve(request, response));
    this.#server.on('connection', () => (this.connections += 1));
  }

  static async start(options: MjpegCameraOptions): Promise<MjpegCamera> {
    const camera = new MjpegCamera(options);
    camera.#port = await listenOnLoopback(camera.#server);
    return camera;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/video.mjpg`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeHttp(this.#server);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.received.push(request.headers);
    const { behaviour } = this;
    const { credentials } = this.#options;
    if (behaviour.kind === 'hang' && behaviour.after === 0) return;
    if (behaviour.kind === 'missing') return void response.writeHead(404).end();
    if (behaviour.kind === 'redirect') {
      return void response.writeHead(302, { location: behaviour.to }).end();
    }
    const refused = credentials && !accepts(credentials, 'GET', request.headers.authorization);
    if (behaviour.kind === 'refuse' || refused) {
      const asked = credentials ?? { scheme: 'basic', username: '', password: '' };
      return void response.writeHead(401, { 'www-authenticate': challenge(asked) }).end();
    }
    if (this.#options.onePictureEach) {
      const { jpegs } = this.#options;
      const jpeg = jpegs[(this.#shown += 1) % jpegs.length];
      return void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg);
    }
    response.writeHead(200, {
      'content-type': this.#options.withoutType
        ? 'application/octet-stream'
        : `multipart/x-mixed-replace; boundary=${boundary}`,
    });
    this.#play(response);
  }

  #play(response: ServerResponse): void {
    const { jpegs, fps, withoutLengths } = this.#options;
    let sent = 0;
    const timer = setInterval(() => {
      if (!this.#mayPlay(response, sent, timer)) return;
      const jpeg = jpegs[sent % jpegs.length] ?? Buffer.alloc(0);
      const length = withoutLengths ? '' : `Content-Length: ${jpeg.length}\r\n`;
      response.write(`--${boundary}\r\nContent-Type: image/jpeg\r\n${length}\r\n`);
      response.write(jpeg);
      response.write('\r\n');
      sent += 1;
    }, 1000 / fps);
    response.on('close', () => clearInterval(timer));
  }

  /** False when the script has something else in mind than the next picture. */
  #mayPlay(response: ServerResponse, sent: number, timer: NodeJS.Timeout): boolean {
    const { behaviour } = this;
    if (!('after' in behaviour) || sent < behaviour.after) return true;
    if (behaviour.kind === 'drop') response.destroy();
    if (behaviour.kind === 'rubbish') response.write(rubbish(4096, sent + 1));
    if (behaviour.kind === 'drip') {
      clearInterval(timer);
      const drops = setInterval(() => response.write('-'), dripEveryMs);
      response.on('close', () => clearInterval(drops));
    }
    return false;
  }
}
