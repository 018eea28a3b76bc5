/**
 * Counts of equal intervals as one filled outline in steps: own SVG, stretched to its box, with the figures as a
 * table for screen readers.
 */
import { useId, useState } from 'react';
import { joined } from '#lib/joined.ts';
import { area, niceCeiling, steps } from './shape.ts';

export interface ChartPoint {
  /** When its interval begins. */
  at: string;
  value: number;
}

/** Fills the height of a flex column; at least 13 rem. */
export interface AreaChartProps {
  /** Names the chart: what is counted, over which time. */
  label: string;
  /** Oldest first, one after another. */
  points: readonly ChartPoint[];
  /** Whether the axis names the beginning of this interval. */
  isNamed: (at: string) => boolean;
  /** Headers of the table that says the same. */
  timeHeader: string;
  valueHeader: string;
  formatTime: (at: string) => string;
  formatValue: (value: number) => string;
}

const WIDTH = 600;
const HEIGHT = 200;

interface Span {
  /** Per cent of the width. */
  left: number;
  width: number;
}

/** The interval below the pointer, and its figure. */
function Reading({ span: { left, width }, text }: { span: Span; text: string }) {
  return (
    <>
      <div
        className="pointer-events-none absolute inset-y-0 bg-recognized/15"
        style={{ left: `${left}%`, width: `${width}%` }}
      />
      <div
        className="overlay-card pointer-events-none absolute top-0 px-2 py-1 text-meta font-medium whitespace-nowrap text-fg"
        style={
          left > 50
            ? { right: `calc(${100 - left}% + 8px)` }
            : { left: `calc(${left + width}% + 8px)` }
        }
      >
        {text}
      </div>
    </>
  );
}

function Drawing({ points, top }: { points: readonly ChartPoint[]; top: number }) {
  const fill = useId();
  const heights = points.map(({ value }) => HEIGHT - (value / top) * HEIGHT);
  const width = WIDTH / points.length;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      <defs>
        <linearGradient id={fill} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--recognized)" stopOpacity="0.28" />
          <stop offset="1" stopColor="var(--recognized)" stopOpacity="0.03" />
        </linearGradient>
      </defs>
      <path d={area(heights, width, HEIGHT)} fill={`url(#${fill})`} />
      <path
        d={steps(heights, width)}
        fill="none"
        stroke="var(--recognized)"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function Plot({ points, formatTime, formatValue, top }: AreaChartProps & { top: number }) {
  const [below, setBelow] = useState<number | null>(null);
  const point = below === null ? undefined : points[below];
  const width = 100 / points.length;
  return (
    <div
      className="relative"
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const share = Math.max(0, (event.clientX - box.left) / box.width);
        setBelow(Math.min(points.length - 1, Math.floor(share * points.length)));
      }}
      onPointerLeave={() => setBelow(null)}
    >
      <div className="absolute inset-0 flex flex-col justify-between">
        <div className="h-px bg-line" />
        <div className="h-px bg-line" />
        <div className="h-px bg-line" />
      </div>
      <Drawing points={points} top={top} />
      {below !== null && point !== undefined && (
        <Reading
          span={{ left: below * width, width }}
          text={joined([formatTime(point.at), formatValue(point.value)])}
        />
      )}
    </div>
  );
}

/** The named intervals, each under its beginning; none so near to an edge that it would not fit. */
function Axis({ points, isNamed, formatTime }: AreaChartProps) {
  const width = 100 / points.length;
  return (
    <div className="figures relative col-start-2 h-lh">
      {points.map(({ at }, index) => {
        const left = index * width;
        if (!isNamed(at) || left < 3 || left > 97) return null;
        return (
          <span key={at} className="absolute -translate-x-1/2" style={{ left: `${left}%` }}>
            {formatTime(at)}
          </span>
        );
      })}
    </div>
  );
}

function FiguresTable(props: AreaChartProps) {
  const { label, points, timeHeader, valueHeader, formatTime, formatValue } = props;
  return (
    // Firefox shows the caption of a table that is hidden itself.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{timeHeader}</th>
            <th scope="col">{valueHeader}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <th scope="row">{formatTime(point.at)}</th>
              <td>{formatValue(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function AreaChart(props: AreaChartProps) {
  const { points, formatValue } = props;
  const top = niceCeiling(Math.max(...points.map(({ value }) => value)));
  return (
    <div className="relative flex flex-1 flex-col">
      <div
        aria-hidden
        className="grid flex-1 grid-cols-[auto_1fr] grid-rows-[minmax(13rem,1fr)_auto] gap-2 text-meta text-muted"
      >
        <div className="figures flex flex-col justify-between text-right">
          {[top, top / 2, 0].map((value) => (
            <span key={value} className="-my-2">
              {formatValue(value)}
            </span>
          ))}
        </div>
        <Plot {...props} top={top} />
        <Axis {...props} />
      </div>
      <FiguresTable {...props} />
    </div>
  );
}
