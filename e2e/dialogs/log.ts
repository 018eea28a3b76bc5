/** What opens above the activity log and its analytics. */
import type { Page } from '@playwright/test';
import { beBusy, visits } from '../busy-week.ts';
import { item, press, sourceBelow, type Overlay, type Words } from './overlay.ts';

const path = (): string => '/activity-log';
const in_ = sourceBelow('features/activity/');
const panel =
  (name: string, more = '') =>
  (): string =>
    `/activity-log?tab=analytics&panel=${name}${more}`;

const ofMenu =
  (label: (words: Words) => string) =>
  async (page: Page, words: Words): Promise<void> => {
    await press(page, words.activityLog.menu);
    await item(page, label(words));
  };

const first = (page: Page): Promise<void> => page.locator('main tbody button').first().click();

export const logOverlays: readonly Overlay[] = [
  {
    name: 'log-menu',
    source: in_('log-menu'),
    path,
    kind: 'menu',
    act: (page, { activityLog }) => press(page, activityLog.menu),
  },
  {
    name: 'log-searches',
    source: in_('searches-menu'),
    path,
    kind: 'menu',
    act: (page, { activityLog }) => press(page, activityLog.searches),
  },
  {
    name: 'log-note',
    source: in_('small-dialogs#3'),
    path,
    act: (page, { activityLog }) => press(page, activityLog.addNote),
  },
  {
    name: 'log-mock',
    source: in_('small-dialogs#2'),
    path,
    act: ofMenu(({ activityLog }) => activityLog.mockLogs),
  },
  {
    name: 'log-delete-all',
    source: in_('delete-dialogs#2'),
    path,
    act: ofMenu(({ activityLog }) => activityLog.deleteAll),
  },
  { name: 'log-entry', source: in_('entry/entry-dialog'), path, act: first },
  {
    name: 'log-value',
    source: in_('value-menu'),
    only: 'desk',
    path: () => '/activity-log?page=1',
    kind: 'menu',
    act: (page) => page.locator('main tbody button[aria-haspopup=menu]').first().click(),
  },
  {
    name: 'log-delete',
    source: in_('delete-dialogs'),
    path: () => '/activity-log?page=1',
    act: async (page, { activityLog }) => {
      await page.locator('main tbody input[type=checkbox]').first().check();
      await press(page, activityLog.deleteSelected);
    },
  },
  {
    name: 'log-save-search',
    source: in_('small-dialogs'),
    path: () => '/activity-log?search=camera',
    act: async (page, { activityLog }) => {
      await press(page, activityLog.searches);
      await item(page, activityLog.saveSearch);
    },
  },
  {
    name: 'log-verification',
    source: in_('verification/verification-dialog'),
    path: () => '/activity-log?dialog=verification',
  },
];

const busy = { given: beBusy } as const;

export const analyticsOverlays: readonly Overlay[] = [
  {
    name: 'visit',
    source: in_('panels/visit/visit-dialog'),
    path: panel('timeline', `&visit=${visits[0]!.id}`),
    ...busy,
  },
  {
    name: 'visit-delete',
    source: in_('panels/deleting/delete-dialogs'),
    path: panel('timeline'),
    ...busy,
    act: (page) => page.locator('main li button:has(svg.lucide-trash-2)').first().click(),
  },
  {
    name: 'visits-delete-all',
    source: in_('panels/deleting/delete-dialogs#2'),
    path: panel('timeline'),
    ...busy,
    act: (page, { panels }) => press(page, panels.markAll),
  },
  {
    name: 'line',
    source: in_('panels/system/line-dialog'),
    path: panel('system'),
    act: (page) => page.locator('main li button').first().click(),
  },
  {
    name: 'log-levels',
    source: in_('panels/system/source-levels'),
    path: panel('system'),
    act: (page, { systemLog }) => press(page, systemLog.sources.title),
  },
  {
    name: 'support-file',
    source: in_('panels/system/support-file'),
    path: panel('system'),
    act: (page, { systemLog }) => press(page, systemLog.support.title),
  },
];
