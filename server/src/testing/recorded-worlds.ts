/**
 * Archives in any state, for retention to work on: cameras that keep 1 to 365 days, segments around the very
 * end of them, holds, files still being written, garbage that a crash left, names that lead out of the root. It also
 * says what must be left of each, without a line of the product's code.
 */
import type { Chance } from './chance.ts';

export const hourMs = 60 * 60_000;
export const dayMs = 24 * hourMs;

export interface WorldSegment {
  readonly id: string;
  readonly camera: number;
  readonly root: number;
  readonly path: string;
  readonly startedAtMs: number;
  /** Null: still being written. */
  readonly endedAtMs: number | null;
  readonly hasFile: boolean;
}

export interface WorldHold {
  readonly camera: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface ArchiveWorld {
  /** For each camera; null: not set, which means 30. */
  readonly days: readonly (number | null)[];
  readonly segments: readonly WorldSegment[];
  readonly holds: readonly WorldHold[];
  /** Rows of the garbage, by root. */
  readonly garbage: readonly {
    readonly root: number;
    readonly path: string;
    readonly hasFile: boolean;
  }[];
  /** Files that neither the index nor the garbage list knows. */
  readonly strays: readonly { readonly root: number; readonly path: string }[];
  /** For each disk; each file takes one. */
  readonly totals: readonly number[];
  /** The server dies at that step of its work on the index; null: it does not. */
  readonly crashAt: number | null;
}

export const cameraCount = 3;
export const rootCount = 2;
const usualDays = 30;

export function archiveWorld(chance: Chance, nowMs: number): ArchiveWorld {
  const days = Array.from({ length: cameraCount }, () =>
    chance.percent(20) ? null : chance.pick([1, 2, 7, 30, 365, 1 + chance.below(365)]),
  );
  const segments = days.flatMap((kept, camera) =>
    segmentsOf(chance, camera, kept ?? usualDays, nowMs),
  );
  const holds = segments
    .filter(() => chance.percent(8))
    .map(({ camera, startedAtMs, endedAtMs }) => {
      const until = endedAtMs ?? nowMs;
      // Some holds end where the file begins, or begin where it ends: those do not hold it.
      const from = chance.pick([startedAtMs - 5_000, startedAtMs + 1, until, until - 1]);
      return { camera, startedAtMs: from, endedAtMs: from + chance.pick([1, 5_000, hourMs]) };
    });
  const garbage = Array.from({ length: chance.below(4) }, (_, at) => ({
    root: chance.below(rootCount),
    path: `old/${at}.mp4`,
    hasFile: chance.percent(70),
  }));
  const strays = Array.from({ length: chance.below(3) }, (_, at) => ({
    root: chance.below(rootCount),
    path: `stray/${at}.mp4`,
  }));
  const totals = Array.from({ length: rootCount }, (_, root) => {
    const files = segments.filter((segment) => segment.root === root).length;
    return Math.max(5, files + chance.below(files + 5));
  });
  const crashAt = chance.percent(60) ? chance.below(30) : null;
  return { days, segments, holds, garbage, strays, totals, crashAt };
}

/** One after another, most of them about where the days of their camera end. */
function segmentsOf(chance: Chance, camera: number, days: number, nowMs: number): WorldSegment[] {
  const limitMs = nowMs - days * dayMs;
  const segments: WorldSegment[] = [];
  const count = chance.below(14);
  let startedAtMs = limitMs - chance.pick([hourMs, dayMs, 40 * dayMs]);
  for (let at = 0; at < count; at++) {
    const lasts = chance.pick([1_000, 10_000, 60_000]);
    // Some end at the limit, or a millisecond beside it, or an hour.
    const nearEnd = limitMs + chance.pick([-hourMs, -1, 0, 1, hourMs]);
    const ends =
      chance.percent(30) && nearEnd - lasts > startedAtMs ? nearEnd : startedAtMs + lasts;
    if (ends > nowMs) break;
    const isOpen = at === count - 1 && chance.percent(40);
    const root = chance.below(rootCount);
    // Each is unlike any other, so that there is only one order.
    const begins = ends - lasts + camera / 10;
    segments.push({
      id: `00000000-0000-7000-8${camera}00-${String(at).padStart(12, '0')}`,
      camera,
      root,
      path: `${camera}/day/hour/${at}.mp4`,
      startedAtMs: begins,
      endedAtMs: isOpen ? null : ends,
      hasFile: isOpen || chance.percent(96),
    });
    startedAtMs = ends + chance.pick([0, 1, 30_000, hourMs, 9 * dayMs]);
  }
  return segments;
}

export const isHeld = (
  { holds }: ArchiveWorld,
  { camera, startedAtMs, endedAtMs }: WorldSegment,
): boolean =>
  holds.some(
    (hold) =>
      hold.camera === camera &&
      hold.startedAtMs < (endedAtMs ?? Infinity) &&
      hold.endedAtMs > startedAtMs,
  );

export const mayGo = (world: ArchiveWorld, segment: WorldSegment): boolean =>
  segment.endedAtMs !== null && !isHeld(world, segment);

/** The segments that must be left: first what is too old goes, then the oldest of each disk, ten by ten. */
export function leftOf(world: ArchiveWorld, nowMs: number): WorldSegment[] {
  let left = world.segments.filter((segment) => {
    const beforeMs = nowMs - (world.days[segment.camera] ?? usualDays) * dayMs;
    return !(mayGo(world, segment) && segment.endedAtMs! <= beforeMs);
  });
  for (const [root, total] of world.totals.entries()) {
    const others = world.strays.filter((stray) => stray.root === root).length;
    for (;;) {
      const files = left.filter((segment) => segment.root === root && segment.hasFile).length;
      // A fifth of a small disk stays free.
      if (total - files - others >= total / 5) break;
      const oldest = left
        .filter((segment) => segment.root === root && mayGo(world, segment))
        .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
        .slice(0, 10);
      if (oldest.length === 0) break;
      left = left.filter((segment) => !oldest.includes(segment));
    }
  }
  return left;
}
