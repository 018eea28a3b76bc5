/**
 * Series over time, as filled outlines in steps or as stacked bars. Arrow keys and the pointer read the values; Enter or
 * a click opens what a column counts, dragging narrows the time.
 */
import type { MouseEvent } from 'react';
import { cx } from '#lib/class-names.ts';
import { largestTotal, reading, total, type ChartData } from './chart-data.ts';
import { Names } from './names.tsx';
import { area, niceCeiling, steps } from './shape.ts';
import { stacked } from './stack.ts';
import { useDrag } from './use-drag.ts';
import { useReading } from './use-reading.ts';

export type TimeForm = 'lines' | 'bars';

const WIDTH = 600;
const HEIGHT = 200;

export function TimeChart({ form, data }: { form: TimeForm; data: ChartData }) {
  const { rows, formatValue } = data;
  const isBars = form === 'bars';
  const largest = Math.max(0, ...rows.flatMap(({ values }) => values));
  const top = niceCeiling(isBars ? largestTotal(rows) : largest);
  return (
    <div className="grid grid-cols-[auto_1fr] grid-rows-[14rem_auto] gap-2 overflow-hidden py-2 pr-px text-meta text-muted">
      <div aria-hidden className="figures flex flex-col justify-between text-right">
        {[top, top / 2, 0].map((value) => (
          <span key={value} className="-my-2">
            {formatValue(value)}
          </span>
        ))}
      </div>
      <Plot data={data} top={top} isBars={isBars} />
      <Names
        count={rows.length}
        nameOf={(index) => rows[index]?.label}
        middleOf={(index) => centre(index, rows.length)}
        className="col-start-2"
      />
    </div>
  );
}

interface PlotProps {
  data: ChartData;
  top: number;
  isBars: boolean;
}

function Plot({ data, top, isBars }: PlotProps) {
  const { label, rows, onOpen, onZoom } = data;
  const open = (index: number): void => onOpen?.(rows[index]!.key);
  const { index, read, onKeyDown } = useReading(rows.length, open);
  const drag = useDrag();
  const row = index === null ? undefined : rows[index];
  const placeOf = ({ currentTarget, clientX }: MouseEvent): number => {
    const box = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    return below(share, rows.length);
  };
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its values are read, not set
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={rows.length}
      aria-valuenow={(index ?? 0) + 1}
      aria-valuetext={row === undefined ? label : reading(data, row)}
      className={cx(
        'relative rounded-xs select-none',
        onOpen !== undefined && row && 'cursor-pointer',
      )}
      onKeyDown={onKeyDown}
      onFocus={() => index === null && read(rows.length - 1)}
      onBlur={() => read(null)}
      onPointerDown={(event) => event.pointerType === 'mouse' && drag.begin(placeOf(event))}
      onPointerMove={(event) => {
        read(placeOf(event));
        drag.move(placeOf(event));
      }}
      onPointerLeave={() => {
        read(null);
        drag.cancel();
      }}
      onClick={(event) => {
        const span = onZoom === undefined ? null : drag.end(placeOf(event));
        if (span === null) open(placeOf(event));
        else onZoom?.(rows[span[0]]!.key, rows[span[1]]!.key);
      }}
    >
      <Grid />
      {drag.span !== null && onZoom !== undefined && <Band span={drag.span} count={rows.length} />}
      {isBars ? <Bars data={data} top={top} lit={index} /> : <Lines data={data} top={top} />}
      {index !== null && row && (
        <Reading left={centre(index, rows.length)} text={reading(data, row)} />
      )}
    </div>
  );
}

function Grid() {
  return (
    <div aria-hidden className="absolute inset-0 flex flex-col justify-between">
      <div className="h-px bg-line" />
      <div className="h-px bg-line" />
      <div className="h-px bg-line" />
    </div>
  );
}

interface BandProps {
  span: readonly [number, number];
  count: number;
}

/** The columns that are being dragged over. */
function Band({ span: [first, last], count }: BandProps) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 bg-primary-soft"
      style={{ left: percent(first / count), width: percent((last + 1 - first) / count) }}
    />
  );
}

/** The middle of a row's column, per cent of the width. */
const centre = (index: number, count: number): number => (100 * (index + 0.5)) / count;

/** The row whose column holds this share of the width. */
const below = (share: number, count: number): number =>
  Math.min(count - 1, Math.floor(share * count));

/** The heights of one series, in the coordinates of the drawing. */
const heightsOf = ({ rows }: ChartData, at: number, top: number): number[] =>
  rows.map(({ values }) => HEIGHT - ((values[at] ?? 0) / top) * HEIGHT);

function Lines({ data, top }: { data: ChartData; top: number }) {
  const width = WIDTH / data.rows.length;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      {data.series.map(({ key, color }, at) => (
        <g key={key}>
          <path d={area(heightsOf(data, at, top), width, HEIGHT)} fill={color} fillOpacity="0.14" />
          <path
            d={steps(heightsOf(data, at, top), width)}
            fill="none"
            stroke={color}
            strokeWidth="2"
            strokeLinejoin="round"
            // Two lines differ without their colours, too.
            {...(at > 0 && { strokeDasharray: '6 3' })}
            vectorEffect="non-scaling-stroke"
          />
        </g>
      ))}
    </svg>
  );
}

const percent = (share: number): string => `${share * 100}%`;

function Bars({ data, top, lit }: { data: ChartData; top: number; lit: number | null }) {
  return (
    <div aria-hidden className="absolute inset-0 flex">
      {data.rows.map(({ key, values }, index) => (
        <div key={key} className={cx('relative flex-1', index === lit && 'bg-surface-2')}>
          {total(values) > 0 &&
            stacked(values, top).map(({ from, until }, at) => (
              <div
                key={data.series[at]!.key}
                className="absolute inset-x-[12%] mx-auto max-w-12"
                style={{
                  bottom: percent(from),
                  height: percent(until - from),
                  background: data.series[at]!.color,
                }}
              />
            ))}
        </div>
      ))}
    </div>
  );
}

function Reading({ left, text }: { left: number; text: string }) {
  return (
    <>
      <div
        aria-hidden
        className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
        style={{ left: `${left}%` }}
      />
      <div
        aria-hidden
        className="overlay-card pointer-events-none absolute top-0 z-10 max-w-3/4 px-2 py-1 text-meta font-medium text-fg"
        style={
          left > 50 ? { right: `calc(${100 - left}% + 8px)` } : { left: `calc(${left}% + 8px)` }
        }
      >
        {text}
      </div>
    </>
  );
}
