/**
 * Our own client for RTSP over TCP, from the first byte to the picture: no other process, no other thread, no native
 * code that a hostile camera could reach. Other codecs and transports are left to FFmpeg (`by-ffmpeg.ts`).
 */
import type { Socket } from 'node:net';
import type { Coded } from '../../codec/coded.ts';
import { dial, type Destination, type OnRead } from '../dial/dial.ts';
import { IngestFault } from '../../protocol/fault.ts';
import type { Credentials } from '../digest.ts';
import type { SourceObserver } from '../observer.ts';
import type { Source, SourceContext } from '../source.ts';
import { describe, keepAlive, methodsOf, NotUnderstood, play, setUp } from './commands.ts';
import { CameraStreams } from './streams.ts';
import { RtspConnection } from './connection.ts';
import type { SoundTrack, Track } from '../../protocol/track.ts';

/** Beyond this the socket is paused, so that a slow reader stops the camera: some seconds at 25 Mbit/s. */
const maxWaitingBytes = 8 * 1024 * 1024;
/** So much is read at a time, as by Node itself. */
const readBytes = 64 * 1024;

/** This client does not know the codec of the camera's pictures. */
export class NotReadHere extends Error {}

export class RtspSource implements Source {
  readonly #socket: Socket;
  readonly #connection: RtspConnection;
  readonly #url: string;
  readonly #opened = Promise.withResolvers<void>();
  #alive: Disposable | null = null;
  #streams: CameraStreams | null = null;
  #queue: Coded[] = [];
  #waitingBytes = 0;
  #wanted: PromiseWithResolvers<Coded | null> | null = null;
  /** Undefined while the connection is open; null: the camera closed it. */
  #over: IngestFault | null | undefined;

  private constructor(
    socket: Socket,
    url: string,
    credentials: Credentials | null,
    observer: SourceObserver | undefined,
  ) {
    this.#socket = socket;
    this.#url = url;
    // Only `open` handles the rejection.
    this.#opened.promise.catch(() => undefined);
    this.#connection = new RtspConnection({
      socket,
      credentials,
      packet: (channel, packet) => {
        observer?.packet(channel, packet);
        this.#streams?.take(channel, packet);
      },
      replied: (reply) => observer?.replied(reply),
      ended: (fault) => this.#end(fault),
    });
  }

  /** Resolves when pictures can be decoded. Throws an IngestFault, `Redirected`, `NotUnderstood` or `NotReadHere`. */
  static async open(
    target: URL,
    credentials: Credentials | null,
    to: Destination,
    { dialer, signal, withSound = false, waitsForKey = () => undefined, observer }: SourceContext,
  ): Promise<RtspSource> {
    let receive: ((chunk: Buffer) => void) | null = null;
    const memory = Buffer.allocUnsafe(readBytes);
    const onRead: OnRead = {
      buffer: memory,
      callback: (bytes) => {
        receive?.(memory.subarray(0, bytes));
        return true;
      },
    };
    const socket = await dial(to, dialer, signal, onRead);
    const { protocol, host, pathname, search } = target;
    const url = `${protocol}//${host}${pathname}${search}`;
    const source = new RtspSource(socket, url, credentials, observer);
    receive = (chunk) => source.#connection.receive(chunk);
    if (to.tls) socket.on('data', receive);
    const giveUp = (): void => source.#connection.end(new IngestFault('no_packets', 'given up'));
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      if (signal.aborted) giveUp();
      await source.#begin(withSound, waitsForKey);
      return source;
    } catch (error) {
      await source[Symbol.asyncDispose]();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  get track(): Track {
    const track = this.#streams?.track;
    if (!track) throw new Error('not open');
    return track;
  }

  get sound(): SoundTrack | null {
    return this.#streams?.sound ?? null;
  }

  read(): Promise<Coded | null> {
    const next = this.#queue.shift();
    if (next) {
      this.#waitingBytes -= next.data.length;
      if (this.#waitingBytes < maxWaitingBytes / 2 && this.#socket.isPaused())
        this.#socket.resume();
      return Promise.resolve(next);
    }
    if (this.#over) return Promise.reject(this.#over);
    if (this.#over === null) return Promise.resolve(null);
    this.#wanted ??= Promise.withResolvers();
    return this.#wanted.promise;
  }

  abort(fault: IngestFault): void {
    this.#queue = [];
    this.#connection.leave(this.#url, fault);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#alive?.[Symbol.dispose]();
    this.#connection.leave(this.#url, new IngestFault('none'));
    this.#streams?.[Symbol.dispose]();
    return Promise.resolve();
  }

  async #begin(withSound: boolean, waitsForKey: () => void): Promise<void> {
    const connection = this.#connection;
    const methods = await methodsOf(connection, this.#url);
    const { media, url, urlOf } = await describe(connection, this.#url);
    const streams = CameraStreams.of(media, withSound, {
      opened: () => this.#opened.resolve(),
      arrived: (coded) => this.#put(coded),
      waitsForKey,
    });
    if (!streams) throw new NotReadHere();
    this.#streams = streams;
    const { pictures, sounds } = streams;
    const { channel, timeoutMs } = await setUp(connection, urlOf(pictures.media), 0);
    pictures.channel = channel;
    if (sounds) sounds.channel = await soundChannel(connection, urlOf(sounds.media));
    this.#alive = keepAlive(connection, url, timeoutMs, methods);
    await play(connection, url);
    await this.#opened.promise;
  }

  #put(coded: Coded): void {
    if (this.#wanted) {
      const { resolve } = this.#wanted;
      this.#wanted = null;
      resolve(coded);
      return;
    }
    this.#queue.push(coded);
    this.#waitingBytes += coded.data.length;
    if (this.#waitingBytes > maxWaitingBytes) this.#socket.pause();
  }

  #end(fault: IngestFault | null): void {
    this.#over = fault;
    this.#opened.reject(fault ?? new IngestFault('ended', 'closed by the camera'));
    if (fault) this.#wanted?.reject(fault);
    else this.#wanted?.resolve(null);
    this.#wanted = null;
  }
}

/** A camera that refuses its sound shows its pictures without it: no packet comes by channel -1. */
async function soundChannel(connection: RtspConnection, url: string): Promise<number> {
  try {
    return (await setUp(connection, url, 2)).channel;
  } catch (error) {
    const isRefused = error instanceof NotUnderstood || error instanceof IngestFault;
    if (!isRefused || connection.isOver) throw error;
    return -1;
  }
}
