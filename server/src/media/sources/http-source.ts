/**
 * Opens cameras that answer HTTP: MJPEG, single JPEGs, HLS, or any other video that FFmpeg reads from bytes we hand it.
 */
import type { IncomingMessage } from 'node:http';
import { IngestFault } from '../protocol/fault.ts';
import { credentialsOf } from './digest.ts';
import { openBytes } from './byte-source.ts';
import { inRealTime } from './file-source.ts';
import { isPlaylist, openHls } from './hls-source.ts';
import { isIndexAtEnd, mayBeKept, openFilm, openKept } from './http-film.ts';
import { getPlaced } from './http-get.ts';
import type { Reachable } from '../protocol/messages.ts';
import { MjpegSource } from './mjpeg-source.ts';
import { multipartJpegs } from './multipart-jpegs.ts';
import { boundaryOf } from './multipart.ts';
import { polledJpegs } from './polled-jpegs.ts';
import type { Source, SourceContext } from './source.ts';

export async function openHttp(camera: Reachable, context: SourceContext): Promise<Source> {
  const url = new URL(camera.url);
  const credentials = credentialsOf(camera, url);
  const placed = await getPlaced(url, credentials, context);
  const { answer } = placed;
  const type = answer.headers['content-type'] ?? '';
  context.contentType?.(type);
  if (isPlaylist(type, placed.url)) return await openHls(placed, credentials, context);
  const boundary = boundaryOf(type);
  if (boundary) return await openMultipart(answer, boundary, context);
  if (/^image\/jpe?g\b/i.test(type)) {
    context.observer?.chose({ reader: 'jpeg' });
    return await MjpegSource.open(polledJpegs(answer, url, credentials, context));
  }
  if (/^(text|image)\//i.test(type)) {
    answer.destroy();
    throw new IngestFault('not_video', 'the address shows a page or another kind of picture');
  }
  const begins = await firstBytes(answer);
  const unsaid = boundaryIn(begins);
  if (unsaid) return await openMultipart(answer, unsaid, context);
  const isFilm = answer.headers['content-length'] !== undefined;
  const indexAtEnd = isIndexAtEnd(begins);
  context.observer?.chose({ reader: isFilm ? 'film' : 'video' });
  if (isFilm && answer.headers['accept-ranges'] === 'bytes')
    return await openFilm(placed, credentials, context);
  if (indexAtEnd) {
    const bytes = isFilm ? Number(answer.headers['content-length']) : null;
    // A server that does not say that it sends parts may do so.
    return mayBeKept(bytes)
      ? await openKept(answer, context.withSound ?? false)
      : await openFilm(placed, credentials, context);
  }
  const source = await openBytes({
    chunks: answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
    withSound: context.withSound ?? false,
    stop: () => void answer.destroy(),
    why: () => null,
  });
  // An answer with a length is a film, which comes as fast as the network allows.
  return isFilm ? inRealTime(source) : source;
}

async function openMultipart(
  answer: IncomingMessage,
  boundary: string,
  { observer }: SourceContext,
): Promise<Source> {
  observer?.chose({ reader: 'mjpeg' });
  return await MjpegSource.open(multipartJpegs(answer, boundary));
}

/** The boundary in the first line of the body, because some MJPEG servers do not announce it. */
function boundaryIn(bytes: Buffer): string | null {
  return /^\s*--([\x21-\x7e]{1,70})\r?\n/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? null;
}

/** Peeks at the first bytes of the body. */
async function firstBytes(answer: IncomingMessage): Promise<Buffer> {
  const events = ['readable', 'end', 'close', 'error'];
  const came = Promise.withResolvers<void>();
  for (const event of events) answer.once(event, came.resolve);
  await came.promise;
  for (const event of events) answer.off(event, came.resolve);
  const bytes: unknown = answer.read();
  if (!Buffer.isBuffer(bytes)) throw new IngestFault('ended', 'no body');
  answer.unshift(bytes);
  return bytes;
}
