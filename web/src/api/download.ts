/**
 * A file behind the bearer token: read here, since a link of the browser carries none, and saved by the browser. It stays
 * nowhere else in it.
 */
import { saveBlob } from '#lib/save-file.ts';
import {
  address,
  fetchSigned,
  requestOf,
  type AnyRoute,
  type CallOptions,
  type Parts,
} from './call.ts';
import { noAnswer, readProblem } from './problem.ts';

export interface Receiving {
  /** Receives how many bytes have come. How many will come is not known: they are made while they are sent. */
  readonly onProgress?: (bytes: number) => void;
}

/** Throws a Problem, or what the signal was aborted with. */
export async function download<const R extends AnyRoute>(
  route: R,
  name: string,
  options: CallOptions<R> & Receiving,
): Promise<void> {
  const parts = options as Parts & Receiving;
  const url = address(route.path, parts);
  const response = await fetchSigned(url, requestOf(route, parts, undefined), route.path);
  if (!response.ok) throw await readProblem(response);
  saveBlob(await received(response, parts), name);
}

async function received(
  response: Response,
  { onProgress, signal }: Parts & Receiving,
): Promise<Blob> {
  let bytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, next) {
        bytes += part.length;
        onProgress?.(bytes);
        next.enqueue(part);
      },
    }),
  );
  try {
    return await new Response(counted ?? null, { headers: response.headers }).blob();
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw noAnswer(cause);
  }
}
