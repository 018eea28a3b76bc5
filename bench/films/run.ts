/** Runs the films of each kind, one after another, and prints their results. */
import { writeFileSync } from 'node:fs';
import { Ours } from '../faces/ours.ts';
import { bystanders, peopleOf } from './people.ts';
import { Machine } from '../rig/processes.ts';
import { crossings } from './crossings.ts';
import { hard } from './hard.ts';
import { bySubStream, known } from './known.ts';
import { printed, type Report } from './report.ts';
import { Stage } from './stage.ts';
import { staying } from './staying.ts';
import { strangers } from './strangers.ts';

export const programmes = [
  'crossings',
  'strangers',
  'known',
  'three',
  'staying',
  'sub',
  'hard',
] as const;
export type Programme = (typeof programmes)[number];
export const isProgramme = (name: string): name is Programme =>
  (programmes as readonly string[]).includes(name);

const stayingPeople = 6;
const references = 3;

export interface FilmsOptions {
  readonly folder: string;
  readonly only: readonly Programme[];
  readonly json: string | undefined;
  readonly minutes: number;
  /** The seed of the film of strangers: who comes by when, before whom, and how they are lit. */
  readonly seed: number;
  readonly filmsEach: number;
}

export async function runFilms({ folder, only, json, minutes, seed, filmsEach }: FilmsOptions) {
  const machine = new Machine();
  await using ours = await Ours.load();
  const { everyday, thumbnails } = await peopleOf(folder, ours);
  await using stage = await Stage.open();
  const report: Report = {};
  if (only.includes('crossings')) report.crossings = await crossings(stage, everyday, filmsEach);
  if (only.includes('strangers')) {
    const cast = { everyday, thumbnails, bystanders: await bystanders(ours) };
    report.strangers = await strangers(stage, cast, { minutes, seed });
  }
  if (only.includes('known')) report.known = await known(stage, everyday);
  if (only.includes('three')) report.knownByThree = await known(stage, everyday, references);
  if (only.includes('staying')) report.staying = await staying(stage, everyday, stayingPeople);
  if (only.includes('sub')) report.sub = await bySubStream(stage, everyday, filmsEach);
  if (only.includes('hard')) report.hard = await hard(stage, everyday, filmsEach);
  report.conditions = machine.conditions();
  console.log(printed(report));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
}
