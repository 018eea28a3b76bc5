import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline } from '../../codec/timeline.ts';
import { AudioTimeline } from './audio-timeline.ts';

/** Converts samples at 8 kHz to ticks of 90 kHz. */
const ticks = (samples: number): number => (samples * 90_000) / 8_000;
/** 20 ms, in ticks of 90 kHz. */
const packetTicks = 1_800;

/** A timeline of 25 pictures a second whose own times begin at `from`, known up to any second. */
function filmFrom(from: number): { until(seconds: number): Timeline } {
  const timeline = new Timeline(25);
  let pictures = 0;
  const until = (seconds: number): Timeline => {
    for (; pictures <= seconds * 25; pictures++) {
      const time = from + pictures * 3_600;
      timeline.next(time, time);
    }
    return timeline;
  };
  return { until };
}

test('sound of the same clock lies where its own times say, however late it comes', () => {
  const sound = new AudioTimeline(8_000);
  // The pictures' times begin at 10 s; this sound is from 10.5 s, and the newest picture from 11 s.
  assert.equal(sound.place(ticks(10.5 * 8_000), packetTicks, filmFrom(900_000).until(1)), 45_000);
});

test('sound of another clock lies where it came, and goes on from there by its own times', () => {
  const sound = new AudioTimeline(8_000);
  const film = filmFrom(900_000);
  const timeline = film.until(2);
  assert.equal(sound.place(ticks(0), packetTicks, timeline), 180_000);
  assert.equal(sound.place(ticks(160), packetTicks, timeline), 181_800);
  // Nothing came for 4 s of both.
  const later = film.until(6);
  assert.equal(sound.place(ticks(160 + 32_000), packetTicks, later), 181_800 + 360_000);
});

test('sound of a camera whose pictures are timed by arrival goes on by its own times, without gaps', () => {
  const sound = new AudioTimeline(8_000);
  const timeline = new Timeline(25);
  const placed: number[] = [];
  // The pictures' times run at half the rate; sound and pictures begin with the same time.
  for (let index = 0; index < 1_500; index++) {
    timeline.next(index * 1_800, index * 1_800, index * 40);
    for (const packet of [2 * index, 2 * index + 1]) {
      const at = sound.place(packet * packetTicks, packetTicks, timeline);
      if (at !== null && index >= 500) placed.push(at);
    }
  }
  assert.equal(placed.length, 2_000);
  assert.deepEqual(
    new Set(placed.slice(1).map((at, index) => at - placed[index]!)),
    new Set([packetTicks]),
  );
});

test('jitter of its times is no gap; sound for a time that has sound already is left out', () => {
  const sound = new AudioTimeline(8_000);
  const timeline = filmFrom(0).until(1);
  assert.equal(sound.place(ticks(8_000), packetTicks, timeline), 90_000);
  assert.equal(sound.place(ticks(8_170), packetTicks, timeline), 91_800);
  assert.equal(sound.place(ticks(7_000), packetTicks, timeline), null);
  assert.equal(sound.place(ticks(12_000), packetTicks, timeline), 135_000);
});

test('sound does not run ahead of pictures that are slower than the time', () => {
  const sound = new AudioTimeline(8_000);
  const film = filmFrom(0);
  let last = 0;
  // Ten seconds of sound beside five of pictures.
  for (let at = 0; at < 500; at++) {
    const timeline = film.until(at / 100);
    last = sound.place(ticks(at * 160), packetTicks, timeline) ?? last;
    // A second, and less than a tenth of one, which is inaudible.
    assert.ok(last <= timeline.now + 99_000, `${last} beside ${timeline.now}`);
  }
});

test('sound before the first picture is left out', () => {
  const sound = new AudioTimeline(8_000);
  assert.equal(sound.place(ticks(0), packetTicks, new Timeline(25)), null);
});

test('sound goes on at once where the pictures begin a new stream on the same connection', () => {
  const sound = new AudioTimeline(8_000);
  const before = filmFrom(900_000).until(60);
  assert.equal(sound.place(ticks((10 + 60) * 8_000), packetTicks, before), 60 * 90_000);
  // Another size: their timeline begins at 0 again, the camera's clock goes on.
  const after = filmFrom(900_000 + 60 * 90_000).until(1);
  assert.equal(sound.place(ticks((10 + 60.5) * 8_000), packetTicks, after), 45_000);
});
