/** A call that reads next to nothing, again and again while something else is under way. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedIn } from '../../server/src/testing/server.ts';

/** Returns how long each took, in milliseconds. */
export async function trivialCalls(who: SignedIn, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  do {
    const startedAtMs = performance.now();
    const { status } = await who.get('/secure-api/accounts/users/me/');
    if (status !== 200) throw new Error(`the trivial call was answered ${status}`);
    times.push(performance.now() - startedAtMs);
    // A few a second, as a user would: they are no load of their own.
    await sleep(20);
  } while (!isOver());
  return times;
}
