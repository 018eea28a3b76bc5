/** Ends a browser's processes, also those that ended by themselves, and removes what they kept. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';

export async function end(children: readonly ChildProcess[], folder: string): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  }
  // Firefox's own children write into the profile until they notice that they are alone.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
