/** What opens above the alerts and the rules that raise them. */
import type { Page } from '@playwright/test';
import type { AlertRule } from '@nazar/contract/alert-rules.ts';
import type { Alert, AlertDetails } from '@nazar/contract/alerts.ts';
import type { Snooze } from '@nazar/contract/snoozes.ts';
import { idOf, visits } from '../busy-week.ts';
import { answer, button, press, said, sourceBelow, type Overlay, type Words } from './overlay.ts';

const in_ = sourceBelow('features/alerts/');
const at = '2026-03-08T15:41:07.000Z';

const alert: Alert = {
  id: idOf(6),
  kind: 'unknown_person',
  level: 'critical',
  status: 'new',
  title: '12 unknown people at Loading bay with a long name, north',
  message: '12 visits.',
  created_at: at,
  last_at: at,
  ended_at: null,
  count: visits.length,
  people: 12,
  camera: idOf(1),
  camera_name: 'Loading bay with a long name, north',
  face_name: 'Unknown',
  visit: visits[0]!.id,
  image: null,
  picture_hidden: false,
  assigned_to: null,
  assigned_to_name: null,
  resolved_by: null,
  resolved_by_name: null,
  resolved_at: null,
  resolution_notes: '',
  created_by: null,
  rule: idOf(9),
};

const details: AlertDetails = {
  ...alert,
  visits: visits.map(({ id, timestamp }) => ({
    id,
    timestamp,
    image: null,
    picture_hidden: false,
    face_name: 'Unknown',
  })),
  history: [{ kind: 'raised', at, by: null, to: null }],
};

const rule: AlertRule = {
  id: idOf(9),
  kind: 'storage_low',
  level: 'warning',
  is_enabled: true,
  cameras: null,
  camera_groups: [],
  categories: [],
  schedule: null,
  modes: ['home', 'away'],
  visits: 3,
  confidence_percent: 0,
  quiet_minutes: 10,
};

const snooze: Snooze = {
  id: idOf(10),
  camera: idOf(1),
  camera_name: alert.camera_name,
  rule: null,
  rule_kind: null,
  until: '2099-03-08T07:00:00.000Z',
  for_everyone: true,
  created_by_name: 'Ada Lovelace',
  may_end: true,
};

/** One new alert of twelve people, one rule, and one snooze. */
async function beAlerted(page: Page): Promise<void> {
  const by_level = { info: 0, warning: 0, error: 0, critical: 1 };
  await answer(page, 'alerts/?*', { count: 1, results: [alert] });
  await answer(page, 'alerts/counts/', { new: 1, in_progress: 0, by_level });
  await answer(page, `alerts/${alert.id}/`, details);
  await answer(page, 'alerts/rules/', { results: [rule] });
  await answer(page, 'notifications/snoozes/', { results: [snooze] });
}

const list = { path: () => '/alerts', given: beAlerted } as const;
const rules = { path: () => '/alerts?tab=rules', given: beAlerted } as const;

const actionOf =
  (label: (words: Words) => string) =>
  (page: Page, words: Words): Promise<void> =>
    press(page, said(words.alerts.actionOf, { action: label(words), title: alert.title }));

const ofRule =
  (label: (words: Words) => string) =>
  (page: Page, words: Words): Promise<void> => {
    const { sentence: whole, when, raise } = words.alertRules;
    const sentence = said(whole, { when: when.storage_low, raise: raise.warning });
    return press(page, said(label(words), { sentence }));
  };

export const alertOverlays: readonly Overlay[] = [
  {
    name: 'alert-resolve',
    source: in_('resolve-dialog'),
    ...list,
    act: actionOf(({ alerts }) => alerts.resolve),
  },
  {
    name: 'alert-assign',
    source: in_('assign-dialog'),
    ...list,
    act: actionOf(({ alerts }) => alerts.assign),
  },
  {
    name: 'alert',
    source: in_('details/alert-dialog'),
    path: () => `/alerts?alert=${alert.id}`,
    given: beAlerted,
  },
  {
    name: 'alert-snooze',
    source: in_('snooze/snooze-dialog'),
    path: () => `/alerts?alert=${alert.id}`,
    given: beAlerted,
    depth: 2,
    act: button(({ alerts }) => alerts.snooze),
  },
  {
    name: 'alert-keys',
    source: in_('keys/key-sheet'),
    ...list,
    act: button(({ alerts }) => alerts.keys.title),
  },
  {
    name: 'alert-rule',
    source: in_('rules/rule-dialog'),
    ...rules,
    act: button(({ alertRules }) => alertRules.add),
  },
  {
    name: 'alert-rule-delete',
    source: in_('rules/alert-rules'),
    ...rules,
    act: ofRule(({ alertRules }) => alertRules.deleteOf),
  },
];
