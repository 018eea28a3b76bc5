/** What the vision hosts of an installation have done so far, as they count it themselves. */
import { dial } from '../../server/src/lib/host.ts';
import type { StatsReply, StatsRequest } from '../../server/src/vision/messages.ts';
import { readFileSync } from 'node:fs';
import type { Installation } from '../../e2e/installation.ts';

const answerMs = 5_000;

export async function visionCounts(
  nazar: Installation,
): Promise<{ pictures: number; chips: number }> {
  const sum = { pictures: 0, chips: 0 };
  for (const pid of nazar.pids('vision-')) {
    const peer = await dial(socketOf(pid), {});
    const question: StatsRequest = { kind: 'stats' };
    const { head } = await peer.request<StatsReply>(question, answerMs);
    peer.close();
    sum.pictures += head.pictures;
    sum.chips += head.chips;
  }
  return sum;
}

function socketOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const socket = words[words.indexOf('--socket') + 1];
  if (!socket) throw new Error(`process ${pid} listens on no socket`);
  return socket;
}
