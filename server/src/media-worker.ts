/**
 * A media worker: a media host without cameras (media/workers.ts). Born with a socket to the server, gone as
 * soon as that is closed. Holds nothing between questions.
 */
import { setPriority } from 'node:os';
import { answerParent } from '#lib/parent.ts';

// Before FFmpeg and libuv start their threads, which inherit it: recording must not notice.
setPriority(10);
const { answer } = await import('#media/worker/answer.ts');

/** Ends the question that is being answered; there is one at a time. */
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
