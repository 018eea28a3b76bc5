/** One connection to the stream of drawn pictures: read until it ends, with the reason for that. */
import { Problem, readProblem } from '#api/problem.ts';
import type { StreamEnd } from './detection-state.ts';
import type { MultipartParser } from '#parts/player/live/multipart-parser.ts';

const broken: StreamEnd = { kind: 'reconnecting', why: 'failed' };
const notAStream: StreamEnd = { kind: 'ended', why: 'format' };

/** What may pass by itself is asked again: a camera that sends nothing, a server in need. */
export function refusalOf({ status, code, detail }: Problem): StreamEnd {
  if (status === 401) return { kind: 'ended', why: 'signedOut' };
  if (status === 404) return { kind: 'ended', why: 'missing' };
  if (code === 'camera_not_active') return { kind: 'ended', why: 'inactive' };
  const passes = status >= 500 || status === 429;
  return { kind: passes ? 'reconnecting' : 'ended', why: 'refused', status, reason: detail };
}

/** A call throws what kept it from being answered: no network, or a token that could not be renewed just now. */
function openingFailed(error: unknown): StreamEnd {
  if (!(error instanceof Problem)) return { kind: 'ended', why: 'other' };
  return error.status === 0 ? broken : refusalOf(error);
}

/** Loaded with the first stream: it would weigh on every page that shows a camera. */
const loadParser = () => import('#parts/player/live/multipart-parser.ts');

async function readParts(
  body: ReadableStream<Uint8Array>,
  parser: MultipartParser,
  onFrame: (jpeg: Blob) => void,
): Promise<StreamEnd> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return broken;
    for (const { type, bytes } of parser.push(value)) {
      if (type !== 'image/jpeg') return notAStream;
      onFrame(new Blob([bytes], { type }));
    }
    // The server closes what a user stopped; a restart or rights that were lost break it off.
    if (parser.isClosed) return { kind: 'ended', why: 'stopped' };
  }
}

/** The caller ends it by the signal that `open` was given, and receives no reason then. */
export async function readStream(
  open: () => Promise<Response>,
  onFrame: (jpeg: Blob) => void,
): Promise<StreamEnd> {
  let response: Response;
  try {
    response = await open();
  } catch (error) {
    return openingFailed(error);
  }
  if (!response.ok) return refusalOf(await readProblem(response));
  const loaded = await loadParser().catch(() => null);
  if (loaded === null) return broken;
  const boundary = loaded.boundaryOf(response.headers.get('Content-Type'));
  if (boundary === null || response.body === null) return notAStream;
  try {
    return await readParts(response.body, new loaded.MultipartParser(boundary), onFrame);
  } catch (error) {
    return error instanceof loaded.MultipartFault ? notAStream : broken;
  }
}
