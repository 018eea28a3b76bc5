/** What opens above the Face Database. */
import type { Page } from '@playwright/test';
import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { idOf, visits } from '../busy-week.ts';
import { answer, press, said, sourceBelow, type Overlay, type Words } from './overlay.ts';

const path = (): string => '/face-database';
const in_ = sourceBelow('features/faces/');
const name = 'Demo Person';

export const stranger: UnknownFace = {
  id: idOf(7),
  number: 14,
  status: 'new',
  image: null,
  picture_hidden: false,
  camera: idOf(1),
  camera_name: 'Loading bay with a long name, north',
  timestamp: '2026-03-08T15:41:07.000Z',
  first_seen: '2026-03-02T05:12:07.000Z',
  confidence: null,
  quality: 0.8,
  face_name: null,
  face: null,
  count: visits.length,
  correction: null,
};

/** The unknown person of the overlays below, who is a long list of visits. */
async function beSeen(page: Page): Promise<void> {
  // A second one, whom they may be merged with.
  const other = { ...stranger, id: idOf(8), number: 15, count: 2 };
  await answer(page, 'faces/unknown/?*', { count: 2, results: [stranger, other] });
  await answer(page, `faces/unknown/${stranger.id}/`, stranger);
  const seen = { count: visits.length, results: visits };
  await answer(page, 'activity-log/face-logs/?*unknown=*', seen);
}

const ofPerson =
  (label: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    // The account remembers the layout; a phone has one.
    const grid = page.getByRole('radio', { name: words.faces.grid });
    if ((await grid.count()) > 0) await grid.check({ force: true });
    await press(page, said(label(words), { name }));
  };

const details = ofPerson(({ faces }) => faces.action.details);
const ofDetails =
  (label: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    await details(page, words);
    await press(page, label(words));
  };

const unknown = {
  source: in_('unknown/stranger-dialog'),
  path: () => `/face-database?view=unknown&stranger=${stranger.id}`,
  given: beSeen,
} as const;

const openStranger =
  (step?: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    await page.getByRole('dialog').waitFor();
    if (step) await press(page, step(words));
  };

export const peopleOverlays: readonly Overlay[] = [
  {
    name: 'face-edit',
    source: in_('person/edit-dialog'),
    path,
    act: ofPerson(({ faces }) => faces.action.edit),
  },
  {
    name: 'face-photo-delete',
    depth: 2,
    source: in_('person/kept-photos'),
    path,
    act: async (page, words) => {
      await ofPerson(({ faces }) => faces.action.edit)(page, words);
      await press(page, said(words.photo.removeNumber, { number: '1' }));
    },
  },
  {
    name: 'face-photos',
    source: in_('person/images-dialog'),
    path,
    act: ofPerson(({ faces }) => faces.action.images),
  },
  { name: 'face-details', source: in_('person/details-dialog'), path, act: details },
  {
    name: 'face-details-menu',
    depth: 2,
    source: in_('person/details-actions'),
    path,
    kind: 'menu',
    only: 'phone',
    act: ofDetails(({ ui }) => ui.moreActions),
  },
  {
    name: 'face-consent',
    depth: 2,
    source: in_('person/consent-dialog'),
    path,
    act: ofDetails(({ consent }) => consent.title),
  },
  {
    name: 'face-consent-calendar',
    depth: 3,
    source: 'ui/date/calendar-window.tsx',
    path,
    kind: 'calendar',
    act: async (page, words) => {
      await ofDetails(({ consent }) => consent.title)(page, words);
      await page.locator('[role=dialog] select').selectOption('consent');
      await press(page, said(words.ui.date.open, { label: words.consent.expires_at }));
    },
  },
  {
    name: 'face-export',
    depth: 2,
    source: in_('person/proof-dialog'),
    path,
    act: ofDetails(({ consent }) => consent.export),
  },
  {
    name: 'face-erase',
    depth: 2,
    source: in_('person/proof-dialog'),
    path,
    act: ofDetails(({ consent }) => consent.erase),
  },
  {
    name: 'face-delete',
    source: in_('person/delete-dialog'),
    path,
    act: ofPerson(({ faces }) => faces.action.remove),
  },
  {
    name: 'face-menu',
    source: in_('list/face-actions'),
    only: 'desk',
    path,
    kind: 'menu',
    act: async (page, { faces }) => {
      await page.getByRole('radio', { name: faces.list }).check({ force: true });
      await press(page, said(faces.actionsOf, { name }));
    },
  },
  { name: 'face-add', source: in_('person/add-dialog'), path: () => '/face-database?add=true' },
  {
    name: 'face-gone',
    source: in_('linked'),
    path: () => `/face-database?person=${idOf(9)}`,
  },
  { name: 'stranger', ...unknown, act: openStranger() },
  {
    name: 'stranger-identify',
    ...unknown,
    act: openStranger(({ strangers }) =>
      said(strangers.identify, { name: said(strangers.name, { number: '14' }) }),
    ),
  },
  { name: 'stranger-merge', ...unknown, act: openStranger(({ strangers }) => strangers.merge) },
];
