/** Reads the JPEGs of one endless answer: `multipart/x-mixed-replace`. */
import type { IncomingMessage } from 'node:http';
import { IngestFault } from '../protocol/fault.ts';
import type { Jpegs } from './mjpeg-source.ts';
import { MultipartReader } from './multipart.ts';

/** Only so many of the newest pictures are kept; more wait only when the machine is stuck. */
const maxWaiting = 4;

export function multipartJpegs(answer: IncomingMessage, boundary: string): Jpegs {
  return { pictures: partsOf(answer, boundary), stop: () => void answer.destroy() };
}

/** The JPEGs of the body; throws an IngestFault when it is not multipart. */
async function* partsOf(answer: IncomingMessage, boundary: string): AsyncGenerator<Buffer, void> {
  const reader = new MultipartReader(boundary);
  let pictures = 0;
  try {
    for await (const chunk of answer) {
      // Pictures that queued up while the machine was busy are old: only the newest are worth decoding.
      for (const part of reader.push(chunk as Buffer).slice(-maxWaiting)) {
        pictures += 1;
        yield part;
      }
    }
  } catch (error) {
    const broken = error instanceof Error && error.name === 'MultipartFault';
    if (!broken) throw new IngestFault(pictures > 0 ? 'ended' : 'no_packets', 'cut off', error);
    throw new IngestFault(pictures > 0 ? 'damaged' : 'not_video', error.message, error);
  }
}
