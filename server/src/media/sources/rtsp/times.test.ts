/** Times of RTP: with one clock, with two, and with pictures that are shown in another order than they come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeTimes, depthOf } from './decode-times.ts';
import { senderReportOf } from './rtp.ts';
import { RtpClock } from './rtp-clock.ts';

test('timestamps begin anywhere, wrap, and go back a little', () => {
  const clock = new RtpClock(90_000);
  const first = 2 ** 32 - 3_000;
  assert.deepEqual(
    [first, first + 3_000 - 2 ** 32, 3_000, 1_500, 6_000].map((time) => clock.ticksAt(time >>> 0)),
    [0, 3_000, 6_000, 4_500, 9_000],
  );
});

test('a clock with another rate gives the same ticks', () => {
  const clock = new RtpClock(8_000);
  assert.deepEqual(
    [100, 260, 8_100].map((time) => clock.ticksAt(time)),
    [0, 1_800, 90_000],
  );
});

test('sender reports align the clocks of pictures and sound', () => {
  const [pictures, sound] = [new RtpClock(90_000), new RtpClock(8_000)];
  pictures.ticksAt(5_000_000);
  sound.ticksAt(70_000);
  assert.equal(pictures.from(sound), null);
  // At 100 s of the camera's wall clock: a second of pictures, half a second of sound.
  pictures.report({ ntpSeconds: 100, timestamp: 5_090_000 });
  assert.equal(pictures.from(sound), null);
  sound.report({ ntpSeconds: 100, timestamp: 74_000 });
  assert.equal(pictures.from(sound), 45_000);
});

test('a sender report is found in a compound packet, and in nothing else', () => {
  const report = Buffer.alloc(28);
  report.set([0x80, 200, 0, 6]);
  report.writeUInt32BE(3_900_000_000, 8);
  report.writeUInt32BE(2 ** 31, 12);
  report.writeUInt32BE(12_345, 16);
  const received = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 1]);
  const found = { ntpSeconds: 3_900_000_000.5, timestamp: 12_345 };
  assert.deepEqual(senderReportOf(report), found);
  assert.deepEqual(senderReportOf(Buffer.concat([received, report])), found);
  for (let length = 0; length < 20; length++) {
    assert.equal(senderReportOf(report.subarray(0, length)), null);
  }
});

const step = 3_000;
/** Presentation times in the order of arrival: I P B B P B B ... */
const orders: Readonly<Record<string, readonly number[]>> = {
  'in order': [0, 1, 2, 3, 4, 5, 6, 7],
  'with two of them held back': [0, 3, 1, 2, 6, 4, 5, 9, 7, 8],
  'with a pyramid of them': [0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11],
};

for (const [name, order] of Object.entries(orders)) {
  for (const said of [0, 1, 2, null]) {
    test(`pictures ${name} are decoded before they are shown, the stream saying ${said}`, () => {
      const times = new DecodeTimes(said);
      const all = Array.from({ length: 10 }, (_, round) =>
        order.map((at) => (at + round * order.length) * step),
      ).flat();
      const decoded = all.map((pts) => times.next(pts, step));
      // A depth that the stream did not say is known after the first reordered picture.
      const known = all.length / 2;
      for (let at = known; at < all.length; at++) {
        assert.ok(decoded[at]! <= all[at]!, `${at}`);
        assert.ok(decoded[at]! > decoded[at - 1]!, `${at}`);
      }
      const depth = order === orders['in order'] ? (said ?? 0) : Math.max(said ?? 0, 2);
      assert.ok(all.at(-1)! - decoded.at(-1)! <= (depth + 3) * step, 'no later than needed');
    });
  }
}

test('a clock that is set does not count as reordering', () => {
  const times = new DecodeTimes(0);
  for (let at = 1_000; at < 1_010; at++) times.next(at * step, step);
  for (let at = 0; at < 10; at++) assert.equal(times.next(at * step, step), at * step);
});

test('a depth that the stream does not say is learned from its first pictures, without a hole', () => {
  const depths = { 'in order': 0, 'with two of them held back': 1, 'with a pyramid of them': 2 };
  for (const [name, depth] of Object.entries(depths)) {
    const order = orders[name]!.map((at) => at * step);
    const needed = order.findIndex((_, index) => depthOf(order.slice(0, index + 1)) !== null) + 1;
    assert.ok(needed >= 3 && needed <= 6, `${name}: ${needed} pictures`);
    assert.equal(depthOf(order.slice(0, needed)), depth, name);
    const times = new DecodeTimes(depth);
    const decoded = order.map((pts) => times.next(pts, step));
    for (let at = 1; at < decoded.length; at++) {
      assert.ok(decoded[at]! > decoded[at - 1]! && decoded[at]! <= order[at]!, `${name}, ${at}`);
      // Media Source Extensions take twice the duration of a picture for a hole.
      assert.ok(decoded[at]! - decoded[at - 1]! <= 2 * step, `${name}, ${at}`);
    }
  }
});

test('pictures that are half a second apart are not waited for', () => {
  assert.equal(depthOf([0]), null);
  assert.equal(depthOf([0, 45_000]), 0);
});
