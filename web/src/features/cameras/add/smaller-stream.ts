import type { DeviceStream } from '@nazar/contract/devices.ts';

const size = ({ width, height }: DeviceStream): number | null =>
  width === null || height === null ? null : width * height;

/** The smallest stream that a camera has beside the chosen one; null when none is smaller, or none says its size. */
export function smallerStream(
  main: DeviceStream,
  streams: readonly DeviceStream[],
): DeviceStream | null {
  const most = size(main);
  if (most === null) return null;
  const smaller = streams.filter((stream) => (size(stream) ?? Infinity) < most);
  return smaller.toSorted((a, b) => size(a)! - size(b)!)[0] ?? null;
}
