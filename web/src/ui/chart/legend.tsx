import type { ChartSeries } from './chart-data.ts';

export function Swatch({ color }: { color: string }) {
  return (
    <span
      aria-hidden
      className="size-2.5 shrink-0 rounded-xs ring-1 ring-black/15 dark:ring-white/20"
      style={{ background: color }}
    />
  );
}

/** Which colour is what. */
export function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-muted">
      {series.map(({ key, label, color }) => (
        <li key={key} className="flex items-center gap-1.5">
          <Swatch color={color} />
          {label}
        </li>
      ))}
    </ul>
  );
}
