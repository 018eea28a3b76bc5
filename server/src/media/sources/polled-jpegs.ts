/** A camera that answers with one JPEG: it is requested once a second, like a page that reloads. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { IngestFault } from '../protocol/fault.ts';
import type { Credentials } from './digest.ts';
import { getFrom } from './http-get.ts';
import type { Jpegs } from './mjpeg-source.ts';
import type { SourceContext } from './source.ts';

/** Cameras make a picture in about a tenth of a second, and some do nothing else meanwhile. */
const everyMs = 1_000;
/** The same bound as for a part of MJPEG. */
const maxBytes = 8 * 1024 * 1024;

/** `first`: the answer that turned out to be a picture. */
export function polledJpegs(
  first: IncomingMessage,
  url: URL,
  credentials: Credentials | null,
  context: SourceContext,
): Jpegs {
  const stopped = new AbortController();
  const { signal } = stopped;
  const asked = { ...context, signal };
  async function* pictures(): AsyncGenerator<Buffer, void> {
    let answer = first;
    for (;;) {
      const askedMs = performance.now();
      yield await pictureOf(answer, signal);
      await wait(Math.max(0, everyMs - (performance.now() - askedMs)), undefined, { signal });
      answer = await getFrom(url, credentials, asked);
    }
  }
  const stop = (): void => {
    stopped.abort();
    first.destroy();
  };
  return { pictures: pictures(), stop };
}

async function pictureOf(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const end = (): void => void answer.destroy();
  signal.addEventListener('abort', end, { once: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new IngestFault('damaged', 'a picture is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof IngestFault ? error : new IngestFault('ended', 'cut off', error);
  } finally {
    signal.removeEventListener('abort', end);
    answer.destroy();
  }
  return Buffer.concat(chunks);
}
