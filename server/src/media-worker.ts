/**
 * Entry of a media worker, started by `media/server/workers.ts`. It gets a socket to the server from its parent and ends as
 * soon as that is closed. It keeps nothing between requests.
 */
import { setPriority } from 'node:os';
import { answerParent } from '#lib/parent.ts';

// Set before FFmpeg and libuv start their threads, which inherit it: recording must not slow down.
setPriority(10);
const { answer } = await import('#media/worker/answer.ts');

/** Aborts the current request; there is one at a time. */
let asked = new AbortController();

answerParent(
  (question) => {
    asked = new AbortController();
    return answer(question, asked.signal);
  },
  ({ head }) => {
    if ((head as { kind?: unknown }).kind === 'cancelled') asked.abort();
  },
);
