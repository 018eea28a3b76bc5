/** What a timeline has at a moment, in words: for readers who point, and for screen readers. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { formatTime } from '#lib/format.ts';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { gapWords } from '#parts/player/recorded/gap-words.ts';
import { shownName } from '#parts/shown-name.ts';
import type { TimelineMark } from './draw-timeline.ts';
import type { TimelineRow, VisitSpan } from './timeline-data.ts';
import { lengthOf, type TimelineView } from './timeline-view.ts';
import { whatIsAt } from './what-is-there.ts';

export const visitName = (t: Translate, { name, isKnown }: VisitSpan): string =>
  name === null
    ? isKnown
      ? t('timeline.someKnown')
      : t('timeline.someUnknown')
    : shownName(t, name);

export interface RowAt {
  /** What lies so near is hit as well. */
  readonly nearMs: number;
  readonly timezone: string;
  /** What is known of the camera now: it names the cause of a gap that goes on. */
  readonly camera?: Camera | undefined;
}

export function rowWords(t: Translate, row: TimelineRow, ms: number, at: RowAt): string {
  const { nearMs, timezone, camera } = at;
  const { span, gap, moves, visits } = whatIsAt(row, ms, nearMs);
  const recorded =
    span !== null
      ? t(`timeline.type.${span.type}`)
      : gap === null
        ? t('timeline.nothing')
        : t('timeline.because', {
            time: momentTime(gap.fromMs, timezone),
            cause: gapWords(t, gap.cause, gap.untilMs === Infinity ? camera?.health : undefined),
          });
  const names = [...new Set(visits.map((visit) => visitName(t, visit)))];
  return joined([recorded, moves && t('timeline.moves'), ...names], ', ');
}

/** The day is named where it may be another than the reader thinks. */
export const momentTime = (ms: number, timeZone: string): string =>
  formatTime(ms, {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

export interface Words {
  readonly cameras: readonly { readonly id: string; readonly name: string }[];
  readonly rows: readonly (TimelineRow | null)[];
  readonly marks: readonly TimelineMark[];
  readonly timezone: string;
}

/** In two pixels of a screen of common width. */
export const nearOf = (view: TimelineView): number => lengthOf(view) / 500;

/** Bookmarks of that moment. */
export const markWords = (marks: readonly TimelineMark[], ms: number, nearMs: number): string[] =>
  marks.filter(({ atMs }) => Math.abs(atMs - ms) <= nearMs).map(({ label }) => label);

/** Says what is at a moment on all cameras, each by its name where there are several. */
export function useMomentWords({ cameras, rows, marks, timezone }: Words) {
  const { t } = useTranslation();
  return (ms: number, nearMs: number): string => {
    const parts = rows.flatMap((row, index) => {
      if (row === null) return [];
      const what = rowWords(t, row, ms, { nearMs, timezone });
      const name = cameras[index]?.name ?? '';
      return [cameras.length > 1 ? t('timeline.ofCamera', { name, what }) : what];
    });
    parts.push(...markWords(marks, ms, nearMs));
    const time = momentTime(ms, timezone);
    return parts.length === 0 ? time : t('timeline.at', { time, what: parts.join('; ') });
  };
}
