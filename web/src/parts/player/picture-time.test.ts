import { expect, test } from 'vitest';
import { pictureTime } from './picture-time.ts';

const ticks = (seconds: number): number => (seconds * 90_000) % 2 ** 32;

test('a picture of fragments is of its own media time', () => {
  expect(pictureTime({ mediaTime: 12.5, rtpTimestamp: 1 }, false, 99)).toBe(12.5);
});

test('LIVE-007 a picture by WebRTC is of the media time nearest to the newest faces, days after the stream began', () => {
  for (const at of [0.04, 100, 47_721.8, 47_722, 400_000.12]) {
    for (const ahead of [-1, 0, 0.3]) {
      const shown = { mediaTime: 3, rtpTimestamp: ticks(at) };
      expect(pictureTime(shown, true, at + ahead)).toBeCloseTo(at, 3);
    }
  }
});

test('where the browser gives no time of RTP, the newest faces are taken for those of the picture', () => {
  expect(pictureTime({ mediaTime: 3 }, true, 77)).toBe(77);
  expect(pictureTime({ mediaTime: 3 }, true, null)).toBe(0);
});
