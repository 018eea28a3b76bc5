/**
 * What a search by place finds in the grids that were kept, beside comparing all the pictures anew at the rate at which
 * they were compared: a person who walks, stands and leaves, over the borders of files, upright and turned.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import type { Polygon } from '@nazar/contract/polygon.ts';
import { aClock } from '#testing/clock.ts';
import { aFragment } from '#testing/segments.ts';
import { frameOf } from '../../codec/frame-of.ts';
import { touchedCells } from '../../mask/grid-cells.ts';
import { CameraPainters } from '../../mask/camera-painters.ts';
import { readSegment } from '../../mp4/segment-contents.ts';
import type { RecorderNews } from '../../protocol/messages.ts';
import { decodeGrid, meet } from '../../protocol/motion-grid.ts';
import type { Rotation } from '../../protocol/rotation.ts';
import { Recorder } from '../recorder/recorder.ts';
import { StageMeter } from '../stage-meter.ts';
import { MotionDetector } from './motion.ts';
import { MotionMonitor } from './motion-monitor.ts';

const [width, height] = [320, 180];
const fps = 25;
const seconds = 65;
const start = Date.UTC(2026, 0, 15, 12);
/** Five pictures a second are compared. */
const everyPictures = 5;

/** Where the person is in each picture, in pixels: they walk, stand for five seconds, and are away for as long. */
function placeAt(picture: number): { x: number; y: number } | null {
  const [round, second] = [Math.floor(picture / fps / 20), (picture / fps) % 20];
  if (second >= 15) return null;
  const walked = Math.min(second, 5) + Math.max(0, second - 10);
  return { x: Math.round(walked * 26 + round * 3), y: 20 + round * 40 };
}

function paint(picture: number): Buffer {
  const grey = Buffer.alloc(width * height, 100);
  const place = placeAt(picture);
  for (let row = 0; place && row < 30; row++) {
    grey.fill(220, (place.y + row) * width + place.x, (place.y + row) * width + place.x + 18);
  }
  return grey;
}

interface Moment {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Where something moved: the corners of the detector's cells, in fractions of the upright picture. */
  readonly boxes: readonly (readonly [left: number, top: number, right: number, bottom: number])[];
}

/** All pictures compared anew, as the camera sent them; what is found is turned afterwards. */
function comparedAnew(rotation: 0 | 90): Moment[] {
  const detector = new MotionDetector(width, height);
  const columns = Math.ceil(width / 8);
  const moments: Moment[] = [];
  for (let picture = 0; picture < seconds * fps; picture += everyPictures) {
    const { moved } = detector.push(paint(picture));
    const untilMs = start + (picture * 1_000) / fps;
    const boxes = moved.map((cell) => {
      const [x, y] = [(cell % columns) * 8, Math.floor(cell / columns) * 8];
      const [left, right] = [x / width, Math.min(width, x + 8) / width];
      const [top, bottom] = [y / height, Math.min(height, y + 8) / height];
      return rotation === 0
        ? ([left, top, right, bottom] as const)
        : ([1 - bottom, left, 1 - top, right] as const);
    });
    if (picture > 0 && boxes.length > 0) moments.push({ fromMs: untilMs - 200, untilMs, boxes });
  }
  return moments;
}

/** What the recorder keeps of the same pictures, as files. */
async function recorded(folder: string, rotation: Rotation) {
  const clock = aClock(start);
  const news: RecorderNews[] = [];
  const log = {
    failed: (task: string, cause: unknown) => assert.fail(`${task}: ${String(cause)}`),
  };
  await using recorder = new Recorder({
    cameraId: 'a',
    rotation,
    clock,
    meter: new StageMeter(clock),
    log,
    tell: (message) => news.push(message),
  });
  const painters = new CameraPainters(rotation, []);
  const both = { main: painters, sub: painters };
  using monitor = new MotionMonitor(clock, both, rotation, (moved) => recorder.compared(moved));
  recorder.setCodec('h264');
  recorder.setPlan({ folder, type: 'continuous', recordedUntilMs: 0, height: 2160 });
  recorder.begin({ body: Buffer.alloc(0), mime: 'video/mp4', width, height });
  for (let picture = 0; picture < seconds * fps; picture++) {
    const key = picture % fps === 0;
    recorder.push({ key, at: picture / fps, wallMs: 0, body: aFragment(picture) });
    const shape = {
      width,
      height,
      format: AV_PIX_FMT_GRAY8,
      pts: 0n,
      timeBase: { num: 1, den: 90_000 },
    };
    using frame = frameOf(paint(picture), shape);
    if (picture % everyPictures === 0) await monitor.offer(frame, 'main');
    clock.advance(1_000 / fps);
  }
  recorder.setPlan(null);
  await recorder.settled();
  const files = news.flatMap((message) =>
    message.kind === 'opened' ? [message.segment.file] : [],
  );
  return await Promise.all(files.map(async (file) => (await readSegment(file))!));
}

const boxAround = ([left, top, right, bottom]: readonly [
  number,
  number,
  number,
  number,
]): Polygon => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** Regions of a page: large and small ones, all over the picture. */
const regions = Array.from({ length: 60 }, (_, index) => {
  const side = [0.02, 0.1, 0.3][index % 3]!;
  const [left, top] = [((index * 37) % 97) / 100, ((index * 53) % 89) / 100];
  return [left, top, Math.min(1, left + side), Math.min(1, top + side)] as const;
});

const overlaps = (a: readonly number[], b: readonly number[], by = 0): boolean =>
  a[0]! < b[2]! + by && b[0]! < a[2]! + by && a[1]! < b[3]! + by && b[1]! < a[3]! + by;

for (const rotation of [0, 90] as const) {
  test(`every moment is found that comparing everything anew finds, and little else: turned by ${rotation}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'nazar-recall-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const files = await recorded(folder, rotation);
    assert.equal(files.length, 7);
    const moments = comparedAnew(rotation);
    assert.ok(moments.length > 120, `${moments.length}`);
    let [expected, found, foundMs, neededMs] = [0, 0, 0, 0];
    for (const region of regions) {
      const cells = touchedCells([boxAround(region)]);
      const spans = files.flatMap(({ head, grid }) =>
        decodeGrid(Buffer.from(grid!, 'base64'))!
          .moved.filter((moved) => meet(moved.cells, cells))
          .map(
            ({ fromMs, untilMs }) =>
              [head.startedAtMs + fromMs, head.startedAtMs + untilMs] as const,
          ),
      );
      const here = moments.filter(({ boxes }) => boxes.some((box) => overlaps(box, region)));
      expected += here.length;
      found += here.filter(({ untilMs }) =>
        spans.some(([from, until]) => from <= untilMs && until >= untilMs),
      ).length;
      foundMs += spans.reduce((sum, [from, until]) => sum + until - from, 0);
      // What moved within a cell of the region explains what is found, to the second.
      const near = moments.filter(({ boxes }) => boxes.some((box) => overlaps(box, region, 1 / 9)));
      for (const [from, until] of spans) {
        const isExplained = near.some((moment) => moment.untilMs >= from && moment.fromMs <= until);
        assert.ok(isExplained, `${region.join()} at ${from - start}`);
      }
      neededMs += here.length * 200;
    }
    t.diagnostic(
      `${expected} moments in 60 regions, ${found} found; ${(foundMs / neededMs).toFixed(2)} times as long`,
    );
    assert.ok(expected > 1_000, `${expected}`);
    assert.equal(found, expected);
    assert.ok(foundMs < 3 * neededMs, `${foundMs} ${neededMs}`);
  });
}
