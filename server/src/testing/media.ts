/** Media with real hosts in a folder of its own, and helpers to wait for states and fragments. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CameraHealth, IngestCause, IngestState } from '@nazar/contract/cameras.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog, type Log } from '#lib/log.ts';
import { MaskingLimit, Media, type MediaOptions, type Viewer } from '#media/media.ts';
import type { MediaCamera } from '#media/protocol/messages.ts';
import type { Rect } from '#lib/geometry.ts';

/** A face that the stub of the vision hosts answers with. */
export interface StubFace {
  readonly number: number;
  readonly box: Rect;
  /** The regions that were to be scanned. */
  readonly regions: readonly Rect[];
  /** Which share of the frame's samples is bright (`media-host.ts`). */
  readonly bright: number;
}

export interface TestFolder extends Disposable {
  readonly runDir: string;
  readonly logsDir: string;
  readonly path: string;
}

export function mediaFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'nazar-media-'));
  const runDir = join(path, 'run');
  const logsDir = join(path, 'logs');
  for (const folder of [runDir, logsDir]) mkdirSync(folder, { mode: 0o700 });
  return {
    path,
    runDir,
    logsDir,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export function openMedia(
  { runDir, logsDir, path }: TestFolder,
  more: Partial<MediaOptions> = {},
): Media<StubFace> {
  return new Media<StubFace>({
    runDir,
    logsDir,
    version: 'test',
    clock: systemClock,
    log: quietLog(),
    allowLoopback: true,
    fileRoots: [path],
    visionSockets: () => [],
    camerasPerHost: 4,
    maskingLimit: new MaskingLimit(systemClock),
    peerPorts: { address: '127.0.0.1', first: 49_200, last: 49_455 },
    ...more,
  });
}

/** The stand-in in `media-host.ts` reads the pictures of these hosts; a socket named `slow` makes it never answer. */
export function openStubMedia(
  folder: TestFolder,
  more: Partial<MediaOptions> = {},
): Media<StubFace> {
  const hostEntry = join(import.meta.dirname, 'media-host.ts');
  return openMedia(folder, { hostEntry, visionSockets: () => ['stub'], ...more });
}

function quietLog(): Log {
  return createLog(process.env['NAZAR_TEST_LOG'] ?? 'silent');
}

export function aCamera(id: string, url: string, more: Partial<MediaCamera> = {}): MediaCamera {
  return {
    id,
    type: 'rtsp',
    url,
    subUrl: '',
    sound: false,
    username: '',
    password: '',
    certificate: '',
    faceRecognition: false,
    analysisFps: 5,
    mostAnalysisFps: 5,
    askedFps: 5,
    rotation: 0,
    streamsId: 'streams',
    isMovable: false,
    ...more,
  };
}

/** Resolves when the camera is in that state (and cause); the test's own timeout is the bound. */
export async function until(
  media: Media<StubFace>,
  cameraId: string,
  state: IngestState,
  cause?: IngestCause,
): Promise<CameraHealth> {
  const found = Promise.withResolvers<CameraHealth>();
  const check = (health: CameraHealth): void => {
    if (health.state === state && (!cause || health.cause === cause)) found.resolve(health);
  };
  using _ = media.healthChanged.on((news) => {
    if (news.cameraId === cameraId) check(news.health);
  });
  check(media.health(cameraId));
  return await found.promise;
}

/** The hosts that belong to this folder, by the socket in their arguments. */
export function hostsOf({ runDir }: Pick<TestFolder, 'runDir'>): Map<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const words = textOf(`/proc/${pid}/cmdline`).split('\0');
    const socket = words.find((word) => word.startsWith(`${runDir}/media-`));
    if (socket) found.set(socket.slice(runDir.length + 1, -'.sock'.length), Number(pid));
  }
  return found;
}

/** Empty when the file does not exist. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // The process has ended meanwhile.
  }
}

/** A viewer that takes everything at once and keeps it. */
export class Watcher implements Viewer {
  readonly texts: string[] = [];
  readonly pieces: Buffer[] = [];
  closed: string | null = null;
  #waiting: { pieces: number; resolve: () => void }[] = [];

  text(json: string): void {
    this.texts.push(json);
  }

  binary(bytes: Uint8Array): void {
    this.pieces.push(Buffer.from(bytes));
    this.#waiting = this.#waiting.filter(({ pieces, resolve }) => {
      if (this.pieces.length < pieces) return true;
      resolve();
      return false;
    });
  }

  queuedBytes(): number {
    return 0;
  }

  close(reason: string): void {
    this.closed = reason;
  }

  /** Resolves when that many binary pieces have come in all. */
  async has(pieces: number): Promise<void> {
    if (this.pieces.length >= pieces) return;
    const enough = Promise.withResolvers<void>();
    this.#waiting.push({ pieces, resolve: enough.resolve });
    await enough.promise;
  }

  /** The messages of that kind. */
  said(kind: string): Record<string, unknown>[] {
    return this.texts
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .filter((message) => message['kind'] === kind);
  }
}
