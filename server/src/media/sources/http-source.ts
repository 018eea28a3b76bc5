/**
 * Cameras that answer HTTP: MJPEG, a picture each time they are asked, or any other video that FFmpeg reads from bytes
 * we hand it.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { IOContext } from 'node-av/lib';
import { IngestFault } from '../fault.ts';
import { inRealTime } from './file-source.ts';
import { FormatSource } from './format-source.ts';
import { getFrom } from './http-get.ts';
import type { Reachable } from '../messages.ts';
import { MjpegSource } from './mjpeg-source.ts';
import { multipartJpegs } from './multipart-jpegs.ts';
import { boundaryOf } from './multipart.ts';
import { polledJpegs } from './polled-jpegs.ts';
import type { Source, SourceContext } from './source.ts';

const ioBufferBytes = 32 * 1024;
/** No demuxer that opens further addresses by itself (playlists, references). */
const options = {
  format_whitelist: 'mpegts,mov,mp4,flv,matroska,webm,h264,hevc,mpeg,avi',
  protocol_whitelist: 'none',
  fflags: 'nobuffer',
  analyzeduration: 500_000,
  probesize: 500_000,
};

export async function openHttp(camera: Reachable, context: SourceContext): Promise<Source> {
  const url = new URL(camera.url);
  const username = camera.username || decodeURIComponent(url.username);
  const password = camera.password || decodeURIComponent(url.password);
  const credentials = username ? { username, password } : null;
  const answer = await getFrom(url, credentials, context);
  const type = answer.headers['content-type'] ?? '';
  context.heard?.(type);
  const boundary = boundaryOf(type);
  if (boundary) return await MjpegSource.open(multipartJpegs(answer, boundary));
  if (/^image\/jpe?g\b/i.test(type)) {
    return await MjpegSource.open(polledJpegs(answer, url, credentials, context));
  }
  if (/^(text|image)\//i.test(type)) {
    answer.destroy();
    throw new IngestFault('not_video', 'the address shows a page or another kind of picture');
  }
  const unsaid = boundaryIn(await firstBytes(answer));
  if (unsaid) return await MjpegSource.open(multipartJpegs(answer, unsaid));
  const source = await openBytes(answer, context.withSound ?? false);
  // What has an end is a film, which comes as fast as the network lets it.
  return answer.headers['content-length'] === undefined ? source : inRealTime(source);
}

/** Some servers of MJPEG do not say that it is: the first line of the body then tells. */
function boundaryIn(bytes: Buffer): string | null {
  return /^\s*--([\x21-\x7e]{1,70})\r?\n/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? null;
}

/** Looks at what comes first and leaves it there. */
async function firstBytes(answer: IncomingMessage): Promise<Buffer> {
  await once(answer, 'readable').catch((error: unknown) => {
    throw new IngestFault('ended', 'no body', error);
  });
  const bytes: unknown = answer.read();
  if (!Buffer.isBuffer(bytes)) throw new IngestFault('ended', 'no body');
  answer.unshift(bytes);
  return bytes;
}

async function openBytes(answer: IncomingMessage, withSound: boolean): Promise<FormatSource> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  const read = async (size: number): Promise<Buffer | null> => {
    while (rest.length === 0) {
      const next = await chunks.next().catch(() => null);
      if (!next || next.done) return null;
      rest = next.value;
    }
    const piece = rest.subarray(0, size);
    rest = rest.subarray(piece.length);
    return piece;
  };
  const io = new IOContext();
  io.allocContextWithCallbacks(ioBufferBytes, 0, read, null, null);
  return await FormatSource.open({
    url: '',
    io,
    withSound,
    options,
    stop: () => void answer.destroy(),
    why: () => null,
  });
}
