/**
 * What is drawn on both pictures at the same places: the zones, and lines through the frame. Where both pictures show
 * the same at the lines, the frame is right.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import { cx } from '#lib/class-names.ts';
import type { Corners } from '#parts/drawing/corners.ts';
import type { Drawn } from '../zones/drawing.ts';
import { zoneClasses } from '../zones/zone-classes.ts';

export interface MarksProps {
  of: StreamName;
  /** In fractions of the picture that they are drawn on, as the frame is. */
  zones: readonly Pick<Drawn, 'key' | 'kind' | 'points'>[];
  /** Clockwise from the top left. */
  frame: Corners;
  /** The frame itself is drawn, too. */
  isFramed?: boolean;
  /** Hidden beside the masks. */
  hidden?: readonly Corners[];
}

/** What lies under a mask is seen through it: it is the place that must be right. */
const classes = { ...zoneClasses, privacy: 'fill-black/50 stroke-white' };

const quarters = [0.25, 0.5, 0.75];
const pointsOf = (corners: Corners): string => corners.map(([x, y]) => `${x},${y}`).join(' ');

function linesIn(frame: Corners): string {
  const [[left, top] = [0, 0], , [right, bottom] = [1, 1]] = frame;
  return quarters
    .map((at) => {
      const [x, y] = [left + at * (right - left), top + at * (bottom - top)];
      return `M${x} ${top}V${bottom}M${left} ${y}H${right}`;
    })
    .join('');
}

export function Marks({ of, zones, frame, isFramed = false, hidden = [] }: MarksProps) {
  const thin = { vectorEffect: 'non-scaling-stroke' } as const;
  return (
    <svg
      aria-hidden
      data-marks={of}
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 size-full"
    >
      {hidden.map((corners) => (
        <polygon key={pointsOf(corners)} points={pointsOf(corners)} className={classes.privacy} />
      ))}
      {zones.map(({ key, kind, points }) => (
        <polygon key={key} points={pointsOf(points)} className={classes[kind]} {...thin} />
      ))}
      {/* Light on dark, so that they are seen on any picture. */}
      {['stroke-black/60 stroke-3', 'stroke-white stroke-1'].map((look) => (
        <path key={look} d={linesIn(frame)} className={cx('fill-none', look)} {...thin} />
      ))}
      {isFramed &&
        ['stroke-black/60 stroke-5', 'stroke-amber-400 stroke-2'].map((look) => (
          <polygon
            key={look}
            points={pointsOf(frame)}
            className={cx('fill-none', look)}
            {...thin}
          />
        ))}
    </svg>
  );
}
