/**
 * Whether screens say what is so: eight of them are open at once in headless Chromium while a camera is unplugged, one
 * freezes, one becomes slow, one viewer's device is slowed down and the server is stopped, with both cores busy. Each
 * second every sentence on a camera is read and compared with what the rig did and what the server knew. `--plant` puts
 * wrong sentences among those that were read: each must be found. Promised is that none is untrue.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CDPSession } from '@playwright/test';
import * as glass from './rig/glass.ts';
import { Machine } from './rig/processes.ts';
import { Product } from './rig/product.ts';
import { graceMs, silenceMs, untruthOf } from './screens/judge.ts';
import { planted } from './screens/plant.ts';
import { printVerdicts, type Verdict } from './screens/report.ts';
import { openScreens, type Screens } from './screens/screens.ts';
import { Burden, Cameras, names, type Name } from './screens/trouble.ts';
import { Watch, type Observed } from './screens/watch.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** How long each trouble lasts; half of that it is well again. Wrong sentences are put in from the 17th on. */
    seconds: { type: 'string', default: '30' },
    /** Processes that take all they can get. */
    load: { type: 'string', default: '20' },
    plant: { type: 'boolean', default: false },
    /** A file that gets all that was said, a line each, with why it was untrue. */
    record: { type: 'string', default: '' },
  },
});
const troubleMs = Number(values.seconds) * 1000;
/** The device of one viewer becomes so many times slower. */
const slowness = 20;

interface Stage {
  readonly product: Product;
  readonly cameras: Cameras;
  readonly watch: Watch;
  readonly throttled: CDPSession;
}

type Trouble = readonly [name: string, begin: () => unknown, end: () => unknown];

const troublesOn = ({ product: { nazar }, cameras, watch, throttled }: Stage): Trouble[] => {
  const throttle = async (rate: number): Promise<void> => {
    watch.isThrottled = rate > 1;
    await throttled.send('Emulation.setCPUThrottlingRate', { rate });
  };
  return [
    ['a camera is unplugged', () => cameras.unplug(), () => cameras.plugIn()],
    ['a camera freezes', () => cameras.freeze(), () => cameras.thaw()],
    ['a camera is slow', () => cameras.slowDown(true), () => cameras.slowDown(false)],
    ['a viewer is slow', () => throttle(slowness), () => throttle(1)],
    ['the server is stopped', () => nazar.stop(), () => nazar.start()],
  ];
};

async function play(stage: Stage): Promise<void> {
  const machine = new Machine();
  await wait(troubleMs / 2);
  for (const [name, begin, end] of troublesOn(stage)) {
    stage.watch.trouble = name;
    await begin();
    await wait(troubleMs);
    stage.watch.trouble = null;
    await end();
    await wait(troubleMs / 2);
    const { load, busy } = machine.conditions();
    console.log(`${name}: load ${load.toFixed(1)}, ${Math.round(busy * 100)} % busy`);
  }
}

async function addCameras(product: Product, cameras: Cameras): Promise<Map<Name, string>> {
  const ids = new Map<Name, string>();
  for (const name of names) {
    const { id } = await product.addCamera(cameras.of(name).url, false, { name });
    await product.record(id);
    ids.set(name, id);
  }
  return ids;
}

async function record(product: Product, cameras: Cameras, screens: Screens): Promise<Watch> {
  const watch = new Watch({ product, cameras, screens });
  const slow = screens.get('slow live view')!;
  const throttled = await slow.context().newCDPSession(slow);
  await using _ = watch;
  watch.begin();
  await using __ = new Burden(Number(values.load));
  watch.isBurdened = Number(values.load) > 0;
  await play({ product, cameras, watch, throttled });
  return watch;
}

await using cameras = await Cameras.start();
await using product = await Product.start();
const browser = await glass.openBrowser();
try {
  const ids = await addCameras(product, cameras);
  const screens = await openScreens(browser, product, ids);
  const { truth, said } = await record(product, cameras, screens);
  const judge = (one: Observed): Verdict => ({ said: one, untruth: untruthOf(one, truth) });
  const lines = said.map(judge).map((verdict) => JSON.stringify(verdict));
  if (values.record !== '') writeFileSync(values.record, `${lines.join('\n')}\n`);
  if (values.plant) {
    const wrong = planted(said).map(judge);
    const missed = wrong.filter(({ untruth }) => untruth === null);
    printVerdicts(wrong);
    console.log(`\nplanted: ${wrong.length}, found: ${wrong.length - missed.length}`);
    if (wrong.length === 0 || missed.length > 0) process.exitCode = 1;
  } else printVerdicts(said.map(judge));
  console.log(
    `\nallowed: news ${graceMs / 1000} s, silence of a camera ${silenceMs / 1000} s more`,
  );
} finally {
  await browser.close();
}
