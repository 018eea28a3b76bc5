/**
 * Entry of a media worker, started by `media/workers.ts`. It has a socket to the server from its parent and ends as
 * soon as that is closed. It keeps nothing between questions.
 */
import { setPriority } from 'node:os';
import { answerParent } from '#lib/parent.ts';

// Set before FFmpeg and libuv start their threads, which inherit it: recording must not suffer.
setPriority(10);
const { answer } = await import('#media/worker/answer.ts');

/** Aborts the present question; there is one at a time. */
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
