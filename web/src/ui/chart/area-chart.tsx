/**
 * Counts over time as one filled line: own SVG, stretched to its box, with the figures as a table for
 * whoever cannot see it.
 */
import { useId, useState } from 'react';
import { Names } from './names.tsx';
import { area, line, niceCeiling, type Dot } from './shape.ts';

export interface ChartPoint {
  at: string;
  value: number;
}

/** Fills the height of a flex column; at least 13 rem. */
export interface AreaChartProps {
  /** Names the chart: what is counted, over which time. */
  label: string;
  /** Oldest first; at least two. */
  points: readonly ChartPoint[];
  /** Headers of the table that says the same. */
  timeHeader: string;
  valueHeader: string;
  formatTime: (at: string) => string;
  formatValue: (value: number) => string;
}

const WIDTH = 600;
const HEIGHT = 200;

function layOut(points: readonly ChartPoint[]): { dots: readonly Dot[]; top: number } {
  const top = niceCeiling(Math.max(...points.map((point) => point.value)));
  const dots = points.map((point, index) => ({
    x: (index / (points.length - 1)) * WIDTH,
    y: HEIGHT - (point.value / top) * HEIGHT,
  }));
  return { dots, top };
}

/** A vertical line and the figure of the point nearest to the pointer. */
function Reading({ dot, text }: { dot: Dot; text: string }) {
  const left = (dot.x / WIDTH) * 100;
  return (
    <>
      <div
        className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
        style={{ left: `${left}%` }}
      />
      <div
        className="pointer-events-none absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-recognized"
        style={{ left: `${left}%`, top: `${(dot.y / HEIGHT) * 100}%` }}
      />
      <div
        className="overlay-card pointer-events-none absolute top-0 px-2 py-1 text-meta font-medium whitespace-nowrap text-fg"
        style={
          left > 50 ? { right: `calc(${100 - left}% + 8px)` } : { left: `calc(${left}% + 8px)` }
        }
      >
        {text}
      </div>
    </>
  );
}

function Drawing({ dots }: { dots: readonly Dot[] }) {
  const fill = useId();
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
      <path d={area(dots, HEIGHT)} fill={`url(#${fill})`} />
      <path
        d={line(dots)}
        fill="none"
        stroke="var(--recognized)"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function Plot({
  points,
  formatTime,
  formatValue,
  dots,
}: AreaChartProps & { dots: readonly Dot[] }) {
  const [nearest, setNearest] = useState<number | null>(null);
  const dot = nearest === null ? undefined : dots[nearest];
  const point = nearest === null ? undefined : points[nearest];
  return (
    <div
      className="relative"
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
        setNearest(Math.round(share * (points.length - 1)));
      }}
      onPointerLeave={() => setNearest(null)}
    >
      <div className="absolute inset-0 flex flex-col justify-between">
        <div className="h-px bg-line" />
        <div className="h-px bg-line" />
        <div className="h-px bg-line" />
      </div>
      <Drawing dots={dots} />
      {dot !== undefined && point !== undefined && (
        <Reading dot={dot} text={`${formatTime(point.at)} · ${formatValue(point.value)}`} />
      )}
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
  const { points, formatTime, formatValue } = props;
  const { dots, top } = layOut(points);
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
        <Plot {...props} dots={dots} />
        <Names
          count={points.length}
          nameOf={(index) => formatTime(points[index]?.at ?? '')}
          middleOf={(index) => (index / (points.length - 1)) * 100}
          className="col-start-2"
        />
      </div>
      <FiguresTable {...props} />
    </div>
  );
}
