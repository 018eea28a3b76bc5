/** What opens above the settings of recognition and privacy. */
import type { ModelsReply } from '@nazar/contract/models.ts';
import type { Erasure } from '@nazar/contract/privacy.ts';
import { idOf } from '../busy-week.ts';
import { answer, press, sourceBelow, type Overlay } from './overlay.ts';

const at = '2026-03-08T15:41:07.000Z';
const in_ = sourceBelow('features/');

const serving = { id: 'ultraface-mobilefacenet', version: '3' };
const models: ModelsReply = {
  installed: [
    { ...serving, license: 'MIT' },
    { id: 'scrfd-adaface', version: '1', license: 'MIT' },
  ],
  unavailable: [],
  awaited: null,
  serving: { ...serving, is_installed: true, is_loaded: true },
  previous: null,
  change: null,
};
const change: ModelsReply['change'] = {
  to: { id: 'scrfd-adaface', version: '1' },
  started_at: at,
  started_by: 'Test Administrator',
  total: 420,
  done: 418,
  failed: 2,
  losses: { photos: 2, people: [{ id: idOf(1), name: 'Leyla Orucova' }] },
};

const erasure: Erasure = {
  id: idOf(3),
  subject: 'person',
  reason: 'asked',
  state: 'done',
  requested_at: at,
  due_at: '2026-04-07T15:41:07.000Z',
  removed_at: at,
  cleaned_at: at,
  removed: { pictures: 41, visits: 0 },
  certificate: {
    subject_digest: 'a3'.repeat(32),
    images: 3,
    vectors: 3,
    pictures: 41,
    visits: 0,
    people: 0,
    unknown: { compared: 40, found: 3, taken: 2, not_comparable: 4, all_cameras: false },
    notes: 0,
    tables_clean: true,
    statistics_clean: true,
    log_clean: false,
  },
};

export const policyOverlays: readonly Overlay[] = [
  {
    name: 'model-choose',
    source: in_('recognition/choose-model'),
    path: () => '/settings/recognition',
    given: (page) => answer(page, 'system/models/', models),
    act: (page, words) => press(page, words.models.change),
  },
  {
    name: 'model-agree',
    source: in_('recognition/model-change'),
    path: () => '/settings/recognition',
    given: (page) => answer(page, 'system/models/', { ...models, change }),
    act: (page, words) => press(page, words.models.agree),
  },
  {
    name: 'attributes',
    source: in_('recognition/attribute-confirmation'),
    path: () => '/settings/recognition',
    act: (page, { recognition }) =>
      page.getByRole('checkbox', { name: recognition.feature.age, exact: true }).click(),
  },
  {
    name: 'certificate',
    source: in_('privacy/certificate-dialog'),
    path: () => '/settings/privacy',
    given: (page) => answer(page, 'privacy/erasures/?*', { count: 1, results: [erasure] }),
    act: (page, { privacy }) =>
      page.getByRole('button').filter({ hasText: privacy.certificate }).click(),
  },
];
