/**
 * A chip host: vectors of one pack from chips that another cut, and from the photos they
 * were cut out of (vision/kept-chips.ts). Born with a socket to
 * the server, gone as soon as that is closed. Holds nothing between questions.
 */
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { answerParent } from '#lib/parent.ts';
import type { Answer, Message } from '#lib/ipc.ts';

// Before libraries start their threads, which inherit it: cameras and uploads go first.
setPriority(15);
const { Engine } = await import('#vision/engine.ts');
const { readPack } = await import('#vision/packs/installed-packs.ts');
const { embedKept } = await import('#vision/embed-kept.ts');

const { values: words } = parseArgs({ options: { pack: { type: 'string' } } });
const engine = Engine.load(readPack(words.pack ?? ''));

async function asked({ head, body }: Message): Promise<Answer> {
  return embedKept(await engine, head, body);
}

answerParent(asked);
