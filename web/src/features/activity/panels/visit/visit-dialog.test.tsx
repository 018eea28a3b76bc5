import { faceRoutes, type MatchExplanation } from '@nazar/contract/faces.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { visitCountRoutes } from '@nazar/contract/visit-counts.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { visitRoutes, type VisitDecision } from '@nazar/contract/visits.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aUser, aVisitRead } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { differs, gradeOf } from './visit.ts';

const aDecision = (over: Partial<VisitDecision> = {}): VisitDecision => ({
  kind: 'recognized',
  at: '2026-03-04T05:06:08.000Z',
  by: null,
  entry: null,
  name: null,
  confidence: 0.91,
  pack: 'blazeface-dlib@1',
  ...over,
});
const bySomeone = { confidence: null, pack: null, entry: '77777777-7777-4777-8777-777777777777' };
const leyla = '55555555-5555-4555-8555-555555555555';
const stranger = '66666666-6666-4666-8666-666666666666';
const known = aVisitRead({
  person_name: 'Leyla Orucova',
  person_id: leyla,
  is_recognized: true,
  confidence: 0.91,
  may_correct: true,
  decisions: [aDecision()],
});
const unknown = aVisitRead({ id: known.id, unknown: { id: stranger, number: 14 } });

const anExplanation = (over: Partial<MatchExplanation> = {}): MatchExplanation => ({
  verdict: 'match',
  pack: 'blazeface-dlib@1',
  quality: 0.72,
  gallery_size: 12,
  limit: 0.75,
  lead: 1.4,
  nearest: [
    {
      person_id: leyla,
      name: 'Leyla Orucova',
      probability: 0.91,
      photos: [
        {
          image_id: stranger,
          image: `/secure-api/faces/${leyla}/images/${stranger}/`,
          quality: 0.8,
          probability: 0.9,
        },
      ],
    },
    { person_id: null, name: 'Known person', probability: 0.3, photos: [] },
  ],
  ...over,
});

beforeEach(() => {
  answer(visitRoutes.faceLogs, { count: 1, results: [known] });
  answer(visitRoutes.read, known);
  answer(visitRoutes.explanation, anExplanation());
  answer(visitRoutes.picture, refusal(404, 'sighting_has_no_picture', ''));
  answer(faceRoutes.image, refusal(404, 'image_not_found', ''));
  answer(visitCountRoutes.byPerson, { results: [] });
  answer(cameraRoutes.namesForLogs, { results: [] });
  answer(userRoutes.list, { count: 0, results: [] });
  answer(savedSearchRoutes.list, { results: [] });
});

const address = () => decodeURIComponent(location.search);
const dialog = () => screen.findByRole('dialog', { name: 'Visit' });
const timeline = '/activity-log?tab=analytics&panel=timeline';
const open = (user = aUser()) => renderApp({ path: `${timeline}&visit=${known.id}`, user });

test('Enter on a visit of the timeline opens it, the address says which, and closing leads back', async () => {
  await renderApp({ path: timeline, user: aUser() });
  const row = await screen.findByRole('button', { name: /^Leyla Orucova/ });
  row.focus();
  await userEvent.keyboard('{Enter}');
  await dialog();
  expect(address()).toContain(`visit=${known.id}`);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(address()).not.toContain('visit='));
  expect(address()).toContain('panel=timeline');
  await waitFor(() => expect(row).toHaveFocus());
});

test('a visit says who, where, when in the zone of its reader, and leads to person, camera and recording', async () => {
  await open();
  const seen = within(await dialog());
  expect(await seen.findByText(/^Wednesday, March 4, 2026 at \d\d:06:07 \S+/)).toBeVisible();
  const way = (name: string) => seen.getAllByRole('link', { name })[0];
  expect(way('Leyla Orucova')).toHaveAttribute('href', `/face-database?person=${leyla}`);
  expect(way('Lobby')).toHaveAttribute('href', `/cameras/${known.camera_id}`);
  expect(decodeURIComponent(way('Watch recording')!.getAttribute('href')!)).toContain(
    `/recordings/${known.camera_id}?at=${known.recorded_at}`,
  );
  expect(seen.getByText('91%', { selector: 'dd' })).toBeVisible();
  expect(seen.getByRole('textbox', { name: 'Link to this visit' })).toHaveDisplayValue(
    new RegExp(`tab=analytics&panel=timeline&visit=${known.id}$`),
  );
});

test('where nothing is recorded, or its reader may not play it, no way to it is offered, in the row nor in the dialog', async () => {
  answer(visitRoutes.faceLogs, { count: 1, results: [{ ...known, recorded_at: null }] });
  answer(visitRoutes.read, { ...known, recorded_at: null });
  await renderApp({ path: timeline, user: aUser() });
  const row = await screen.findByRole('button', { name: /^Leyla Orucova/ });
  expect(screen.queryByRole('link', { name: /^Recording: / })).toBeNull();
  await userEvent.click(row);
  const seen = within(await dialog());
  expect((await seen.findAllByRole('link', { name: 'Lobby' }))[0]).toBeVisible();
  expect(seen.queryByRole('link', { name: 'Watch recording' })).toBeNull();
});

test('~SET-016 the attributes of the face are shown as an estimate, in the row and in the dialog', async () => {
  const attributes = {
    age: { from: 29, to: 40 },
    gender: { looks_like: 'woman', certainty: 0.87 },
    emotion: { looks: 'happy', certainty: 0.7 },
  } as const;
  answer(visitRoutes.faceLogs, { count: 1, results: [{ ...known, attributes }] });
  answer(visitRoutes.read, { ...known, attributes });
  await renderApp({ path: timeline, user: aUser() });
  const row = await screen.findByRole('button', { name: /^Leyla Orucova/ });
  expect(row).toHaveTextContent('age about 29 to 40 · looks like a woman, 87% · looks happy, 70%');
  await userEvent.click(row);
  const look = within(
    await within(await dialog()).findByRole('region', { name: 'Appearance (estimate)' }),
  );
  expect(look.getByText('about 29 to 40', { selector: 'dd' })).toBeVisible();
  expect(look.getByText('looks like a woman, 87%', { selector: 'dd' })).toBeVisible();
  expect(look.getByText('looks happy, 70%', { selector: 'dd' })).toBeVisible();
  expect(look.getByText('Estimated from one picture. It can be wrong.')).toBeVisible();
});

test('~SET-016 only what was wanted is shown, and of a visit without it nothing', async () => {
  const age = { from: 0, to: 3 };
  answer(visitRoutes.read, { ...known, attributes: { age, gender: null, emotion: null } });
  const { unmount } = await open();
  expect(await screen.findByText('about 0 to 3')).toBeVisible();
  expect(screen.queryByText('Gender')).toBeNull();
  unmount();
  answer(visitRoutes.read, known);
  await open();
  await screen.findByRole('link', { name: 'Watch recording' });
  expect(screen.queryByText('Appearance (estimate)')).toBeNull();
});

test('an unknown person leads to their own dialog, and is not said to be wrong', async () => {
  answer(visitRoutes.read, unknown);
  answer(visitRoutes.explanation, anExplanation({ verdict: 'nobody', nearest: [] }));
  await open();
  const link = await screen.findByRole('link', { name: 'Unknown 14' });
  expect(link).toHaveAttribute('href', `/face-database?view=unknown&stranger=${stranger}`);
  expect(screen.queryByRole('button', { name: 'Not this person' })).toBeNull();
});

test.each([
  ['match', /^The face matches Leyla Orucova with 91% confidence\. At least 75% is required\.$/],
  ['too_far', /^The most similar person is Leyla Orucova with 91% confidence\./],
  ['not_clear', /^Two people look almost equally similar, so neither is named\./],
  ['nobody', /^There are no people to compare this face with\.$/],
] as const)('the verdict %s is shown in words', async (verdict, sentence) => {
  answer(visitRoutes.explanation, anExplanation({ verdict }));
  await open();
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('the reason names the nearest people with their photos, and hides whom the reader may not name', async () => {
  await open();
  const seen = within(await dialog());
  const nearest = within(await seen.findByRole('region', { name: 'Most similar people' }));
  const [first, second] = nearest.getAllByRole('listitem').filter((row) => row.closest('ol'));
  expect(first).toHaveTextContent('Leyla Orucova91%90%');
  expect(nearest.getByText('Known person').closest('a')).toBeNull();
  expect(second).toBeDefined();
  expect(seen.getByText('Compared today with 12 people.')).toBeVisible();
  expect(seen.getByText('Close')).toBeVisible();
  expect(seen.getByText("1.4 times what's required")).not.toBeVisible();
  await userEvent.click(seen.getByText('Show numbers'));
  expect(seen.getByText("1.4 times what's required")).toBeVisible();
  expect(seen.queryByText(/^The visit was decided differently/)).toBeNull();
});

test('=ENT-023 how a visit got its name stands beside what a comparison says today, with who said so and the entry', async () => {
  const by = { id: leyla, name: 'Rashad Aliyev' };
  const decisions = [
    aDecision({ name: 'Leyla Orucova' }),
    aDecision({ kind: 'not_this_person', by, ...bySomeone, at: '2026-03-05T05:06:08.000Z' }),
    aDecision({ kind: 'merge', by, ...bySomeone, at: '2026-03-06T05:06:08.000Z' }),
    aDecision({ kind: 'split', ...bySomeone, at: '2026-03-07T05:06:08.000Z' }),
    aDecision({ kind: 'identify', ...bySomeone, entry: null, at: '2026-03-08T05:06:08.000Z' }),
  ];
  answer(visitRoutes.read, { ...known, confidence: null, decisions });
  await open();
  const then = within(await screen.findByRole('region', { name: 'How it got its name' }));
  expect(then.getAllByRole('listitem').map((row) => row.firstChild?.textContent)).toEqual([
    'Recognized at that moment as Leyla Orucova with 91% confidence.',
    'Marked “not this person” by Rashad Aliyev.',
    'Taken over when Rashad Aliyev merged two unknown people.',
    'Split off by a user.',
    'Named by a user.',
  ]);
  expect(then.getByText('Model: blazeface-dlib@1')).toBeVisible();
  const links = then.getAllByRole('link', { name: 'Log entry' });
  expect(links).toHaveLength(3);
  expect(links[0]).toHaveAttribute('href', `/activity-log?entry=${bySomeone.entry}`);
  // A name that a user gave has no percentage; today's stands behind a press.
  const facts = within(await dialog());
  expect(await facts.findByText('Confidence', { selector: 'dt' })).not.toBeVisible();
  expect(await screen.findByText('What a comparison says today:')).toBeVisible();
});

test.each([
  ['of before', { decisions: [aDecision({ at: null, pack: null })] }, /^The time isn't known/],
  ['not known', { decisions: [] }, /^How this visit got its name isn't known/],
])('a visit %s says that it is', async (_title, over, sentence) => {
  answer(visitRoutes.read, { ...known, ...over });
  await open();
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('nothing is revealed of a person whom the reader may not name, or of an unknown one', async () => {
  const hidden = { person_id: null, person_name: 'Known person', decisions: [] };
  answer(visitRoutes.read, { ...known, ...hidden });
  const { unmount } = await open();
  await screen.findByText('What a comparison says today:');
  expect(screen.queryByRole('region', { name: 'How it got its name' })).toBeNull();
  unmount();
  answer(visitRoutes.read, unknown);
  await open();
  await screen.findByText('What a comparison says today:');
  expect(screen.queryByRole('region', { name: 'How it got its name' })).toBeNull();
});

test.each([
  [null, 'match', null],
  [0.4, 'not_clear', 'doubtful'],
  [11.49, 'too_far', 'doubtful'],
  [1, 'match', 'close'],
  [1.99, 'match', 'close'],
  [2, 'match', 'clear'],
  [11.49, 'match', 'clear'],
] as const)('a lead of %s with the verdict %s is %s', (lead, verdict, grade) => {
  expect(gradeOf({ lead, verdict })).toBe(grade);
});

test('a comparison that says otherwise today is reported', async () => {
  answer(visitRoutes.explanation, anExplanation({ verdict: 'too_far' }));
  await open();
  expect(await screen.findByText(/^The visit was decided differently/)).toBeVisible();
  const { nearest } = anExplanation();
  const other = [{ ...nearest[0]!, person_id: stranger }];
  expect(differs(known, { verdict: 'match', nearest })).toBe(false);
  expect(differs(known, { verdict: 'match', nearest: other })).toBe(true);
  expect(differs(unknown, { verdict: 'not_clear', nearest })).toBe(false);
  expect(differs(unknown, { verdict: 'match', nearest })).toBe(true);
});

test('"Not this person" is said with one press, and taken back with another', async () => {
  const said = answer(visitRoutes.notThisPerson, () => {
    answer(visitRoutes.read, { ...unknown, is_corrected: true, may_correct: true });
    return { ...unknown, is_corrected: true };
  });
  const back = answer(visitRoutes.thisPersonAfterAll, () => {
    answer(visitRoutes.read, known);
    return known;
  });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Not this person' }));
  expect(await screen.findByText(/^Marked as not Leyla Orucova\./)).toBeVisible();
  expect(said.map(({ params }) => params['id'])).toEqual([known.id]);
  expect(screen.getByText('This visit is marked “not this person”.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Unknown 14' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone. The visit has its name again.')).toBeVisible();
  expect(back).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Not this person' })).toBeVisible();
});

test('a refused correction says why and can be said again', async () => {
  const sentence = 'Permission denied: You can only update your own faces';
  answer(visitRoutes.notThisPerson, refusal(403, 'face_update_forbidden', sentence));
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Not this person' }));
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Not this person' })).toBeEnabled();
});

test('the newest visits of a camera open the same dialog, and their panel stays', async () => {
  const row = {
    camera_id: known.camera_id,
    camera_name: 'Lobby',
    total_detections: 1,
    recognized_count: 1,
    unrecognized_count: 0,
  };
  answer(visitCountRoutes.byCamera, [row]);
  answer(visitCountRoutes.cameraDetails, {
    ...row,
    first_detection: known.timestamp,
    last_detection: known.timestamp,
    unique_persons: 1,
    recent_logs: [known],
  });
  const path = `/activity-log?tab=analytics&panel=cameras&camera=${known.camera_id}`;
  await renderApp({ path, user: aUser() });
  await userEvent.click(
    await screen.findByRole('button', { name: /^Visit details: Leyla Orucova, / }),
  );
  await dialog();
  expect(address()).toContain('panel=cameras');
  expect(address()).toContain(`visit=${known.id}`);
});

test('a user who may not correct a visit sees no button for it', async () => {
  answer(visitRoutes.read, { ...known, may_correct: false });
  await open();
  await screen.findByRole('link', { name: 'Watch recording' });
  expect(screen.queryByRole('button', { name: 'Not this person' })).toBeNull();
});

test('a correction that the reader may not take back is shown without a button', async () => {
  answer(visitRoutes.read, { ...unknown, is_corrected: true });
  await open();
  expect(await screen.findByText('This visit is marked “not this person”.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test.each([
  [404, 'sighting_not_found'],
  [400, 'invalid'],
])('a visit that is gone, or never was, says so, without a retry (%i)', async (status, code) => {
  answer(visitRoutes.read, refusal(status, code, ''));
  await open();
  const seen = within(await dialog());
  expect(await seen.findByText('This visit is no longer available')).toBeVisible();
  expect(seen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('a failure can be retried: of the visit, then of the reason alone', async () => {
  answer(visitRoutes.read, refusal(500, 'internal', ''));
  answer(visitRoutes.explanation, refusal(500, 'internal', ''));
  await open();
  const retry = async () =>
    userEvent.click(await within(await dialog()).findByRole('button', { name: 'Retry' }));
  await screen.findByText("The visit couldn't be loaded");
  answer(visitRoutes.read, known);
  await retry();
  expect(await screen.findByText("The reason couldn't be loaded")).toBeVisible();
  answer(visitRoutes.explanation, anExplanation());
  await retry();
  expect(await screen.findByText(/^The face matches/)).toBeVisible();
});

test('without a picture nothing is compared, and a user who may not ask for the reason sees none', async () => {
  const asked = answer(visitRoutes.explanation, refusal(403, 'forbidden', ''));
  answer(visitRoutes.read, { ...known, face_image_url: null });
  const { unmount } = await open();
  expect(await screen.findByText(/^The picture is no longer stored/)).toBeVisible();
  expect(screen.getByText('No picture saved')).toBeVisible();
  expect(asked).toHaveLength(0);
  unmount();
  answer(visitRoutes.read, { ...known, face_image_url: null, picture_hidden: true });
  const hidden = await open();
  expect(await screen.findByText('Hidden by a privacy mask')).toBeVisible();
  expect(screen.getByText(/^This picture is hidden by a privacy mask, so/)).toBeVisible();
  expect(screen.queryByText('No picture saved')).toBeNull();
  expect(asked).toHaveLength(0);
  hidden.unmount();
  answer(visitRoutes.read, known);
  await open();
  await screen.findByRole('link', { name: 'Watch recording' });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Why' })).toBeNull());
  expect(asked).toHaveLength(1);
});
