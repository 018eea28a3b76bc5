import type { DeviceStream } from '@nazar/contract/devices.ts';
import { expect, test } from 'vitest';
import { nearestStream } from './nearest-stream.ts';

const stream = (height: number | null): DeviceStream => ({
  name: `${height}`,
  url: `rtsp://192.168.1.7/${height}`,
  codec: 'H264',
  width: height,
  height,
  fps: 25,
});

const nearest = (heights: readonly (number | null)[], resolution: string) =>
  nearestStream(heights.map(stream), resolution)?.height ?? null;

test('the stream nearest in height to what is asked for, the larger of two as near', () => {
  expect(nearest([360, 1080, 2160], '1280x720')).toBe(1080);
  expect(nearest([360, 1080, 2160], '3840x2160')).toBe(2160);
  expect(nearest([360, 1080, 2160], '640x480')).toBe(360);
  expect(nearest([null, 360], '1920x1080')).toBe(360);
});

test('none of one, and none where no height is given', () => {
  expect(nearest([1080], '1920x1080')).toBeNull();
  expect(nearest([null, null], '1920x1080')).toBeNull();
});
