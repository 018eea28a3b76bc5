/** Detection in the main stream: which picture is decoded, at what cost at most, and for how many faces at once. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { numberIn, paint, smallFilm } from '@nazar/e2e/farm/film.ts';
import { codedLive } from './coded-stream.ts';
import { reachOf } from './picture-at.ts';
import { CameraPainters } from '../../mask/camera-painters.ts';
import { writeFilm } from '#commands/demo-film/film.ts';
import { systemClock } from '#lib/clock.ts';
import type { ImageSource } from '#lib/image-source.ts';
import { StageMeter } from '../stage-meter.ts';
import { LiveStream, type Fragment } from '../live/live-stream.ts';
import { Passthrough } from '../live/passthrough.ts';
import { FormatSource } from '../../sources/format-source.ts';
import { MainStreamDetection } from './main-stream-detection.ts';

const timeout = 60_000;
const shape = { width: smallFilm.width, height: smallFilm.height, fps: 25 };
const folder = mkdtempSync(join(tmpdir(), 'nazar-closer-'));
const film = join(folder, 'film.mp4');
/** Key frames are each 25 pictures; 20 of the second group have come. */
const pictures = 45;
const arrivedMs = 1_800_000_000_000;
const box = { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };

before(() =>
  writeFilm(
    film,
    shape,
    Array.from({ length: pictures }, (_, i) => paint(smallFilm, i)),
  ),
);
after(() => rmSync(folder, { recursive: true, force: true }));

/** The live stream that a host keeps of that film. */
async function kept(): Promise<LiveStream> {
  const live = new LiveStream({ init: () => undefined, fragment: () => undefined });
  const input = { url: film, options: {}, stop: () => undefined, why: () => null };
  await using source = await FormatSource.open(input);
  // The end of the passthrough would end the live stream, too.
  const passthrough = new Passthrough(
    source.track,
    {
      begin: (init) => live.begin(init),
      push: (fragment) => live.push(fragment),
      end: () => undefined,
    },
    (init) => init,
  );
  for (let i = 0; i < pictures; i++) {
    const picture = await source.read();
    // Some pictures come late, as from real cameras.
    await passthrough.push(picture!, arrivedMs + i * 40 + (i % 3) * 15);
  }
  passthrough[Symbol.dispose]();
  return live;
}

/** Detection with a client that reads the number of each picture once `mayDetect` resolves. */
function detection(live: LiveStream, mayDetect: Promise<void> = Promise.resolve()) {
  const numbers: number[] = [];
  const meter = new StageMeter(systemClock);
  const client = {
    detect: async (view: ImageSource) => {
      await mayDetect;
      const { width, height } = view;
      const rgb = await view.take({ x: 0, y: 0, width, height }, width, height);
      numbers.push(numberIn(Buffer.from(rgb), width));
      return { reply: { faces: [] }, chips: Buffer.alloc(0), costMs: 1 };
    },
  };
  const coded = () => codedLive(live);
  return {
    numbers,
    meter,
    mainStreamDetection: new MainStreamDetection({
      coded,
      rotation: 0,
      painters: new CameraPainters(0, []),
      client,
      meter,
    }),
  };
}

test(
  'the picture of that moment is decoded, whichever of its group it is',
  { timeout },
  async () => {
    const { numbers, meter, mainStreamDetection } = detection(await kept());
    for (const number of [25, 26, 37, 44]) {
      assert.ok(
        await mainStreamDetection.detect({ atMs: arrivedMs + number * 40, box }),
        String(number),
      );
    }
    assert.deepEqual(numbers, [25, 26, 37, 44]);
    const { spentMs } = meter.take();
    assert.equal(spentMs.detect, 4, 'what the vision host said, four times');
    assert.ok(spentMs.decode > 0);
    assert.equal(
      await mainStreamDetection.detect({ atMs: arrivedMs + 10 * 40, box }),
      null,
      'of the group before',
    );
    assert.equal(
      await mainStreamDetection.detect({ atMs: arrivedMs + 60 * 40, box }),
      null,
      'not come yet',
    );
    await mainStreamDetection[Symbol.asyncDispose]();
  },
);

test(
  'faces of one moment share its picture, another moment is refused meanwhile',
  { timeout },
  async () => {
    const may = Promise.withResolvers<void>();
    const { numbers, mainStreamDetection } = detection(await kept(), may.promise);
    const [one, two] = [30, 40].map((number) => arrivedMs + number * 40);
    const both = [
      mainStreamDetection.detect({ atMs: one!, box }),
      mainStreamDetection.detect({ atMs: one!, box }),
    ];
    assert.equal(await mainStreamDetection.detect({ atMs: two!, box }), null);
    may.resolve();
    assert.ok((await Promise.all(both)).every((found) => found?.width === shape.width));
    assert.ok(await mainStreamDetection.detect({ atMs: two!, box }), 'it is free again');
    assert.deepEqual(numbers, [30, 30, 40]);
    await mainStreamDetection[Symbol.asyncDispose]();
    assert.equal(await mainStreamDetection.detect({ atMs: two!, box }), null, 'it has ended');
  },
);

test('a damaged group of pictures is no picture, and the next is', { timeout }, async () => {
  const live = await kept();
  const broken = live.gop.map((fragment) => ({ ...fragment, body: Buffer.alloc(64) }));
  const { init } = live;
  const stream = { init, gop: broken as readonly Fragment[] };
  const { mainStreamDetection } = detection(stream as LiveStream);
  assert.equal(await mainStreamDetection.detect({ atMs: arrivedMs + 1200, box }), null);
  stream.gop = live.gop;
  assert.ok(await mainStreamDetection.detect({ atMs: arrivedMs + 1200, box }));
  await mainStreamDetection[Symbol.asyncDispose]();
});

test('a picture too far from its key frame is not decoded', () => {
  const init = { body: Buffer.alloc(0), mime: '', width: 3840, height: 2160 };
  const gop = Array.from({ length: 100 }, (_, i): Fragment => {
    return { key: i === 0, at: i / 25, wallMs: i * 40, body: Buffer.alloc(0) };
  });
  const wanted = (picture: number): number | undefined =>
    reachOf(codedLive({ init, gop }), picture * 40)?.wanted.at;
  assert.equal(wanted(29), 29 / 25);
  assert.equal(wanted(30), undefined, '31 pictures of 8.3 million pixels');
  assert.equal(reachOf(codedLive({ init: null, gop }), 0), null);
  assert.equal(reachOf(codedLive({ init, gop: [] }), 0), null);
});
