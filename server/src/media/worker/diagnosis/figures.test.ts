/** The figures of a diagnosis, by streams whose faults are known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coded } from '../../codec/coded.ts';
import { PacketMeter } from './packet-figures.ts';
import { PictureMeter } from './picture-figures.ts';
import { spreadOf } from './spread.ts';

const ticks = 3_600;
const stepMs = 40;

function picture(shown: number, decoded: number, more: Partial<Coded> = {}): Coded {
  const data = Buffer.alloc(1_000);
  const [pts, dts] = [shown * ticks, decoded * ticks];
  return { kind: 'picture', data, key: false, pts, dts, duration: 0, ...more };
}

test('pictures: how many, how large, how even, and how far from key picture to key picture', () => {
  const meter = new PictureMeter();
  for (let at = 0; at < 101; at++) {
    const key = at % 25 === 1;
    // One of them is 100 ms late.
    const lateMs = at === 60 ? 100 : 0;
    const data = Buffer.alloc(key ? 5_000 : 1_000);
    meter.take(picture(at, at, { key, data }), 500 + at * stepMs + lateMs);
  }
  const figures = meter.figures();
  const { pictures, keyPictures, beforeFirstKey, firstPictureMs, firstKeyMs, spanMs } = figures;
  assert.deepEqual(
    [pictures, keyPictures, beforeFirstKey, firstPictureMs, firstKeyMs, spanMs],
    [101, 4, 1, 500, 540, 4_000],
  );
  assert.equal(figures.bitsPerSecond, (8 * (96 * 1_000 + 4 * 5_000)) / 4);
  assert.equal(figures.largestBytes, 5_000);
  assert.deepEqual(figures.steps, { min: 40, median: 40, p95: 40, max: 40 });
  assert.deepEqual(figures.keySteps, { min: 1_000, median: 1_000, p95: 1_000, max: 1_000 });
  assert.deepEqual(figures.lateness, { min: 0, median: 0, p95: 0, max: 100 });
  assert.deepEqual(figures.arrivals, { min: -60, median: 40, p95: 40, max: 140 });
  assert.deepEqual(
    [figures.longestGroup, figures.reorder, figures.backwards, figures.leaps, figures.withoutTime],
    [25, 0, 0, 0, 0],
  );
});

test('pictures: reordering, and times that stand still, go back, leap or are missing', () => {
  const meter = new PictureMeter();
  const shown = [0, 3, 1, 2, 6, 4, 5];
  for (const [at, pts] of shown.entries())
    meter.take(picture(pts, at - 1, { key: at === 0 }), at * stepMs);
  assert.equal(meter.figures().reorder, 1);
  meter.take(picture(7, 5), 280);
  meter.take(picture(8, 4), 320);
  meter.take(picture(108, 104), 360);
  meter.take({ ...picture(0, 0), pts: null, dts: null }, 400);
  const { backwards, leaps, withoutTime, longestGroup } = meter.figures();
  assert.deepEqual([backwards, leaps, withoutTime, longestGroup], [2, 1, 1, null]);
});

test('pictures: none is no figure', () => {
  const { pictures, bitsPerSecond, arrivals, firstPictureMs, lateness } =
    new PictureMeter().figures();
  assert.deepEqual(
    [pictures, bitsPerSecond, arrivals, firstPictureMs, lateness],
    [0, null, null, null, null],
  );
  assert.equal(spreadOf([]), null);
});

function rtp(sequence: number, timestamp: number, payloadType = 96): Buffer {
  const packet = Buffer.alloc(112);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8(payloadType, 1);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(timestamp >>> 0, 4);
  return packet;
}

test('packets: what the sequence numbers leave out, over their wrap, and what comes late or twice', () => {
  const meter = new PacketMeter();
  const sequences = [65_533, 65_534, 65_535, 0, 3, 3, 4, 2, 8];
  for (const [at, sequence] of sequences.entries())
    meter.take(0, rtp(sequence, at * ticks), at * stepMs);
  const report = Buffer.alloc(28);
  report.writeUInt8(0x80, 0);
  report.writeUInt8(200, 1);
  report.writeUInt16BE(6, 2);
  meter.take(1, report, 0);
  const [figures] = meter.figures(() => 90_000);
  assert.deepEqual(figures, {
    channel: 0,
    payloadType: 96,
    packets: 9,
    bytes: 9 * 112,
    gaps: 2,
    // 1, and 5 to 7; 2 came late.
    lost: 4,
    repeated: 1,
    late: 1,
    jitterMs: 0,
    largestBytes: 112,
    senderReports: 1,
  });
});

test('packets: jitter as RFC 3550 counts it, once a timestamp; unknown without a clock rate', () => {
  const meter = new PacketMeter();
  for (let at = 0; at < 400; at++) {
    const atMs = at * stepMs + (at % 2 === 0 ? 0 : 5);
    for (let part = 0; part < 3; part++) meter.take(2, rtp(3 * at + part, at * ticks, 97), atMs);
  }
  // Every difference of transit times is 5 ms.
  assert.equal(meter.figures(() => 90_000)[0]?.jitterMs, 5);
  assert.equal(meter.figures(() => null)[0]?.jitterMs, null);
});
