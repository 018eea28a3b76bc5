/**
 * What the clocks of a time zone show. A time on a wall is written as the milliseconds that it would be in UTC; some
 * times on a wall come twice, some never. Pure.
 */
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Zones differ by whole quarters of an hour, and clocks are changed at one. */
const quarterMs = 15 * minuteMs;
const mostKept = 4000;

const clocks = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

function clockOf(timezone: string): Intl.DateTimeFormat {
  const found = clocks.get(timezone);
  if (found !== undefined) return found;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  clocks.set(timezone, made);
  return made;
}

/** How far the zone's clocks are ahead of UTC then. */
function offsetMs(ms: number, timezone: string): number {
  const quarter = Math.floor(ms / quarterMs);
  const key = `${timezone} ${quarter}`;
  const found = offsets.get(key);
  if (found !== undefined) return found;
  const parts = new Map(
    clockOf(timezone)
      .formatToParts(quarter * quarterMs)
      .map(({ type, value }) => [type as string, Number(value)]),
  );
  const part = (name: string): number => parts.get(name) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  const offset = wall - quarter * quarterMs;
  if (offsets.size >= mostKept) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

export const wallMs = (ms: number, timezone: string): number => ms + offsetMs(ms, timezone);

/** When clocks show that: twice, once, or never. In the order of time. */
export function momentsAt(wall: number, timezone: string): number[] {
  const near = new Set([-dayMs, dayMs].map((by) => wall - offsetMs(wall + by, timezone)));
  return [...near].filter((ms) => wallMs(ms, timezone) === wall).sort((one, other) => one - other);
}

/** When a day begins of which that is midnight; where clocks skip midnight, when they are changed. */
export const dayBeginning = (midnight: number, timezone: string): number =>
  momentsAt(midnight, timezone)[0] ?? midnight - offsetMs(midnight - dayMs, timezone);
