/** What an installation listens on, as the operating system sees it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { emptyDataFolder, processesNaming, start } from '#testing/installation.ts';
import { until } from '#testing/until.ts';

const listening = '0A';

interface Bound {
  readonly port: number;
  readonly state: string;
}

/** Sockets by the number of their inode. */
function bound(protocol: string): Map<string, Bound> {
  const lines = readFileSync(`/proc/net/${protocol}`, 'utf8').trim().split('\n').slice(1);
  return new Map(
    lines.map((line) => {
      const words = line.trim().split(/\s+/);
      const [, port = ''] = words[1]!.split(':');
      return [words[9]!, { port: Number.parseInt(port, 16), state: words[3]! }];
    }),
  );
}

/** What is read of a process; nothing when it is gone. */
function unlessGone<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return [];
    throw error;
  }
}

/** Inodes of the sockets that a process holds. */
const socketsOf = (pid: number): string[] =>
  unlessGone(() =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    }),
  );

/** A process and all it started. */
function family(pid: number): number[] {
  const children = unlessGone(() =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return [pid, ...children.map(Number).flatMap(family)];
}

const isLinux = process.platform === 'linux';

test(
  'C-903, C-904 one port listens, nothing waits for datagrams, and everything else is on unix sockets',
  { skip: isLinux ? false : 'needs /proc' },
  async () => {
    using folder = emptyDataFolder();
    const installation = await start(folder.path, []);
    try {
      const held = (): Set<string> => {
        const ours = new Set([
          ...(processesNaming(folder.path) ?? []),
          ...family(process.pid).filter((pid) => pid !== process.pid),
        ]);
        return new Set([...ours].flatMap(socketsOf));
      };
      const of = (protocol: string): Bound[] => {
        const inodes = held();
        return [...bound(protocol)].flatMap(([inode, socket]) =>
          inodes.has(inode) ? [socket] : [],
        );
      };
      const listeners = (): number[] =>
        [...of('tcp'), ...of('tcp6')]
          .filter(({ state }) => state === listening)
          .map(({ port }) => port);
      // What a busy machine lists is read in pieces, and may pass over one; ours is there.
      await until(() => listeners().length > 0);
      assert.deepEqual(listeners(), [Number(new URL(installation.origin).port)]);
      assert.deepEqual([...of('udp'), ...of('udp6')], []);
    } finally {
      await installation.stop();
    }
  },
);
