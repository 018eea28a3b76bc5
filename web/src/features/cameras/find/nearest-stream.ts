import type { DeviceStream } from '@nazar/contract/devices.ts';

/**
 * The stream nearest in height to what the form asks for (`1280x720`), the larger of two that are as near; null where
 * there is nothing to choose from, or no stream says how high it is.
 */
export function nearestStream(
  streams: readonly DeviceStream[],
  resolution: string,
): DeviceStream | null {
  const wanted = Number(resolution.split('x')[1]);
  if (streams.length < 2 || Number.isNaN(wanted)) return null;
  const far = ({ height }: DeviceStream): number =>
    height === null ? Infinity : Math.abs(height - wanted);
  const [nearest] = streams.toSorted(
    (a, b) => far(a) - far(b) || (b.height ?? 0) - (a.height ?? 0),
  );
  return nearest && nearest.height !== null ? nearest : null;
}
