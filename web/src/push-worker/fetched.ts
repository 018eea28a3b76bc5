/** One question to the server, without session: the ticket in its body says who asks. */
import type { Route } from '@nazar/contract/route.ts';

const timeoutMs = 5_000;

/** Null: there was no answer. */
export async function fetched(
  { method, path }: Pick<Route, 'method' | 'path'>,
  body: object,
  language: string,
): Promise<Response | null> {
  try {
    return await fetch(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'accept-language': language },
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    return null;
  }
}
