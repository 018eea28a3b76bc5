/** The verification of the activity log in the page: progress, result, what can't be verified, the signed file. */
import { activityRoutes } from '@nazar/contract/activity.ts';
import {
  verificationRoutes,
  type ChainFault,
  type ChainResult,
  type ChainVerification,
  type VerificationState,
} from '@nazar/contract/chain-verification.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { anEntry, atDesk, chooseAction, openList, pageOf } from '#testing/activity-list.ts';
import { anId, aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

atDesk();

const at = '2026-03-04T05:06:07.000Z';
const later = '2026-03-05T08:09:10.000Z';

const aResult = (over: Partial<ChainResult> = {}): ChainResult => ({
  whole: true,
  fault: null,
  entries: 1200,
  first: { sequence: 1, recorded_at: at },
  last: { sequence: 1200, recorded_at: later, signature: 'ab'.repeat(32) },
  pruned: 0,
  anchors: { count: 3, last: { sequence: 1200, at: later } },
  unsealed: 0,
  ...over,
});

const aRun = (over: Partial<ChainVerification> = {}): ChainVerification => ({
  id: anId(),
  state: 'done',
  asked_by: { id: anId(), name: 'Nigar Example' },
  began_at: at,
  ended_at: later,
  done: 1200,
  total: 1200,
  result: aResult(),
  ...over,
});

const aFault = (over: Partial<ChainFault>): ChainFault => ({
  kind: 'changed',
  sequence: 4,
  found: null,
  id: null,
  recorded_at: null,
  anchor: null,
  line: null,
  ...over,
});

let state: VerificationState;
beforeEach(() => {
  state = { latest: null, done: null };
  answer(verificationRoutes.state, () => state);
});

const shown = (run: ChainVerification): void => {
  state = { latest: run, done: run.state === 'done' ? run : null };
};

async function openDialog(): Promise<HTMLElement> {
  answer(activityRoutes.list, pageOf([anEntry()]));
  await renderApp({ path: '/activity-log?dialog=verification', user: aUser() });
  return screen.findByRole('dialog', { name: 'Verify activity log' });
}

test('C-803 an administrator opens it by the menu; it is started, shows how far it is, also after a reload, and is stopped', async () => {
  answer(verificationRoutes.start, () => {
    shown(aRun({ state: 'running', ended_at: null, done: 500, result: null }));
    return state.latest!;
  });
  answer(verificationRoutes.cancel, () => {
    shown(aRun({ state: 'cancelled', done: 700, result: null }));
    return state;
  });
  await openList();
  await chooseAction('Verify activity log');
  const dialog = await screen.findByRole('dialog', { name: 'Verify activity log' });
  expect(location.search).toContain('dialog=verification');
  expect(
    await within(dialog).findByText("The activity log hasn't been verified here yet."),
  ).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: 'Save signed file' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Verify' }));
  expect(await within(dialog).findByText('500 of 1,200 entries verified')).toBeVisible();
  const bar = within(dialog).getByRole('progressbar', { name: 'Verification progress' });
  expect(bar).toHaveAttribute('value', '500');
  expect(bar).toHaveAttribute('max', '1200');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stop' }));
  expect(await within(dialog).findByText('The last verification was stopped.')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Verify' })).toBeEnabled();
});

test('C-803 a user who is no administrator has no such action, and its address opens nothing', async () => {
  const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
  await openList(undefined, '?dialog=verification', user);
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Clear Cache' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'Verify activity log' })).toBeNull();
  expect(screen.queryByRole('dialog', { name: 'Verify activity log' })).toBeNull();
});

test('C-803 a whole log: how many entries, since when, which anchors, who and when; the signed file is saved', async () => {
  shown(aRun());
  const asked = answer(verificationRoutes.file, () => new Response('{}\nSignature: x\n'));
  const savedAs: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    savedAs.push(this.download);
  });
  const dialog = await openDialog();
  expect(
    await within(dialog).findByText('The activity log is whole: every entry is as it was written.'),
  ).toBeVisible();
  expect(dialog).toHaveTextContent('1,200');
  expect(dialog).toHaveTextContent(/Since.*Mar 4, 2026.*entry 1/);
  expect(dialog).toHaveTextContent(/Until.*Mar 5, 2026.*entry 1200/);
  expect(dialog).toHaveTextContent(/3, the last at entry 1200/);
  expect(dialog).toHaveTextContent(/started by .*Nigar Example/);
  expect(within(dialog).queryByText("What can't be verified")).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save signed file' }));
  await waitFor(() => expect(savedAs).toEqual(['activity-log-verification-20260305T080910Z.txt']));
  expect(asked[0]!.url.pathname).toContain(state.done!.id);
});

test.each<[string, Partial<ChainFault>, string]>([
  ['a changed entry', { recorded_at: at }, 'Entry 4 is not as it was written.'],
  ['a removed one', { kind: 'missing', found: 5 }, 'Entry 4 is missing. Entry 5 follows.'],
  ['one that is there twice', { kind: 'duplicate' }, 'Entry 4 exists twice.'],
  [
    'a removed end',
    { kind: 'cut', anchor: { sequence: 6, at } },
    'Entry 4 and all after it are missing. On ',
  ],
  [
    'an entry that an anchor knows otherwise',
    { kind: 'rewritten', anchor: { sequence: 4, at } },
    'Entry 4 is not the one that was there on ',
  ],
  [
    'one that was pruned',
    { kind: 'returned' },
    'Entry 4 was removed because of its age and is back.',
  ],
  ['a checkpoint', { kind: 'checkpoint' }, 'The mark at entry 4, where the log begins, '],
  ['a line of anchors', { kind: 'anchor', sequence: null, line: 2 }, 'Line 2 of the anchor file '],
])('C-803 %s is named', async (_, fault, sentence) => {
  shown(aRun({ result: aResult({ whole: false, fault: aFault(fault) }) }));
  const dialog = await openDialog();
  const alert = await within(dialog).findByRole('alert');
  expect(alert.textContent.replaceAll(/[\u2066-\u2069]/g, '')).toContain(sentence);
  expect(alert.textContent.includes('Time in the entry')).toBe(fault.recorded_at !== undefined);
  expect(within(dialog).queryByText(/is whole/)).toBeNull();
  expect(within(dialog).getByRole('button', { name: 'Save signed file' })).toBeEnabled();
});

test('C-804 the page names what cannot be verified: pruned entries, a log without anchors or past the last one, what is not sealed', async () => {
  shown(aRun({ result: aResult({ pruned: 2, unsealed: 1, anchors: { count: 0, last: null } }) }));
  const dialog = await openDialog();
  const unverifiable = async () =>
    (await within(dialog).findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(await unverifiable()).toEqual([
    '2 older entries were removed because of their age.',
    "Without anchors, entries removed from the end can't be noticed.",
    "1 new entry isn't sealed yet.",
  ]);
  expect(dialog).toHaveTextContent(/Anchors\s*None/);
});

test('C-802 entries after the last anchor are called unprovable', async () => {
  shown(aRun({ result: aResult({ anchors: { count: 2, last: { sequence: 1000, at } } }) }));
  const dialog = await openDialog();
  expect(
    await within(dialog).findByText(/^Entries removed from the end after entry 1000 can't/),
  ).toBeVisible();
});

test.each([
  ['interrupted', /because the server stopped/],
  ['failed', /The system log says why/],
] as const)(
  'a run that %s is reported, with the previous result below',
  async (ended, sentence) => {
    state = { latest: aRun({ state: ended, result: null }), done: aRun() };
    const dialog = await openDialog();
    expect(await within(dialog).findByText(sentence)).toBeVisible();
    expect(within(dialog).getByText(/is whole/)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Verify again' })).toBeEnabled();
  },
);
