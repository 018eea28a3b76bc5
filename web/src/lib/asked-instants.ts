import { timesOf } from './local-day.ts';

interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const instant = (ms: number): string => new Date(ms).toISOString();

/** The instants that a list is asked for: from the beginning of one day to the end of another, by the reader's clock. */
export const askedInstants = ({ from, to }: Days) => ({
  start_date: from === undefined ? undefined : instant(timesOf(from).fromMs),
  end_date: to === undefined ? undefined : instant(timesOf(to).untilMs),
});
