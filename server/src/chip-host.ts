/**
 * A chip host: computes vectors of one pack from chips that another pack made, and from the photos they were cropped
 * from (vision/kept-chips.ts). It starts with a socket to the server, ends as soon as that is closed, and holds no
 * state between requests.
 */
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { answerParent } from '#lib/parent.ts';
import type { Answer, Message } from '#lib/ipc.ts';

// The priority is set before libraries start their threads, which inherit it: cameras and uploads go first.
setPriority(15);
const { Engine } = await import('#vision/engine.ts');
const { readPack } = await import('#vision/packs/installed-packs.ts');
const { embedKept } = await import('#vision/embed-kept.ts');

const { values: words } = parseArgs({ options: { pack: { type: 'string' } } });
const engine = Engine.load(await readPack(words.pack ?? ''));

async function asked({ head, body }: Message): Promise<Answer> {
  return embedKept(await engine, head, body);
}

answerParent(asked);
