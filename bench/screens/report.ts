/** Prints how many sentences were read and which were untrue. */
import { table } from '../table.ts';
import type { Observed } from './watch.ts';

export interface Verdict {
  readonly said: Observed;
  /** Null: it was true. */
  readonly untruth: string | null;
}

/** Without its times: how often is it untrue? */
const kindOf = (text: string): string => text.replaceAll(/\d+/g, '#');

function counted(verdicts: readonly Verdict[], of: (verdict: Verdict) => string): string {
  const rows = [...Map.groupBy(verdicts, of)].map(([name, all]) => {
    const untrue = all.filter(({ untruth }) => untruth !== null).length;
    return [name, String(all.length), String(untrue)];
  });
  return table(['', 'said', 'untrue'], rows);
}

/** One line for all seconds in a row in which a screen said the same. */
function runsOf(untrue: readonly Verdict[]): string[][] {
  const groups = Map.groupBy(untrue, ({ said, untruth }) =>
    [said.trouble, said.screen, said.camera, kindOf(said.text), kindOf(untruth ?? '')].join('|'),
  );
  return [...groups.values()].map((all) => lineOf(all));
}

const clock = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

function lineOf(all: readonly Verdict[]): string[] {
  const [first, last] = [all[0]!, all.at(-1)!];
  const { text, trouble, screen, camera, asOf } = first.said;
  return [
    clock(first.said.atMs),
    clock(last.said.atMs),
    String(all.length),
    trouble,
    screen,
    camera ?? '',
    text === '' ? '(nothing of the line)' : text + (asOf === null ? '' : ` (as of ${asOf})`),
    first.untruth ?? '',
  ];
}

export function printVerdicts(verdicts: readonly Verdict[]): void {
  const untrue = verdicts.filter(({ untruth }) => untruth !== null);
  console.log(`\n${counted(verdicts, ({ said }) => said.screen)}`);
  console.log(`\n${counted(verdicts, ({ said }) => said.place)}`);
  if (untrue.length > 0) {
    const head = ['from', 'until', 'times', 'while', 'screen', 'camera', 'said', 'but'];
    console.log(`\n${table(head, runsOf(untrue))}`);
    console.log(`\n${counted(untrue, ({ said }) => kindOf(said.text))}`);
  }
  console.log(`\nsentences: ${verdicts.length}, untrue: ${untrue.length}`);
}
