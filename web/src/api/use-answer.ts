import { useEffect, useState } from 'react';
import { call, type AnyRoute, type CallOptions, type Reply } from './call.ts';

/**
 * One answer of the server, asked once; undefined until it is here, and when there is none. For the pages before the
 * sign-in, which show the little they ask for and keep nothing: the query cache takes 9 kB.
 */
export function useAnswer<const R extends AnyRoute>(
  route: R,
  options: CallOptions<R>,
): Reply<R> | undefined {
  const [answer, setAnswer] = useState<Reply<R>>();
  useEffect(() => {
    const asking = new AbortController();
    call(route, { ...options, signal: asking.signal }).then(
      (reply) => setAnswer(() => reply),
      () => undefined,
    );
    return () => asking.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, whatever object the options are
  }, [route]);
  return answer;
}
