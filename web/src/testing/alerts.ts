/** Alerts with sensible contents, and a page of them; a test names only what it is about. */
import { alertRuleRoutes, type AlertRule } from '@nazar/contract/alert-rules.ts';
import {
  alertRoutes,
  type Alert,
  type AlertCounts,
  type AlertDetails,
  type AlertPage,
} from '@nazar/contract/alerts.ts';
import type { User } from '@nazar/contract/accounts.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { houseModeRoutes, type HouseModeState } from '@nazar/contract/house-mode.ts';
import { snoozeRoutes, type Snooze } from '@nazar/contract/snoozes.ts';
import { aUser, anId } from './builders.ts';
import { aCamera } from './cameras.ts';
import { renderApp } from './render-app.tsx';
import { answer, type Seen } from './server.ts';

export const lobby = aCamera({ id: '44444444-4444-4444-8444-444444444444', name: 'Lobby' });
export const plainUser = () => aUser({ role: 'user', is_staff: false, is_superuser: false });

export const anAlert = (over: Partial<Alert> = {}): Alert => ({
  id: anId(),
  kind: 'unknown_person',
  level: 'warning',
  status: 'new',
  title: 'Unknown person at Lobby',
  message: 'An unknown person was seen at Lobby.',
  created_at: '2026-03-04T05:06:07.000Z',
  last_at: '2026-03-04T05:08:07.000Z',
  ended_at: null,
  count: 3,
  people: 1,
  camera: lobby.id,
  camera_name: 'Lobby',
  face_name: 'Unknown',
  visit: anId(),
  image: null,
  picture_hidden: false,
  assigned_to: null,
  assigned_to_name: null,
  resolved_by: null,
  resolved_by_name: null,
  resolved_at: null,
  resolution_notes: '',
  created_by: null,
  rule: anId(),
  ...over,
});

export const alertDetails = (over: Partial<AlertDetails> = {}): AlertDetails => ({
  ...anAlert(),
  visits: [],
  history: [{ kind: 'raised', at: '2026-03-04T05:06:07.000Z', by: null, to: null }],
  ...over,
});

export const someCounts = (over: Partial<AlertCounts> = {}): AlertCounts => ({
  new: 1,
  in_progress: 0,
  by_level: { info: 0, warning: 1, error: 0, critical: 0 },
  ...over,
});

export const aRule = (over: Partial<AlertRule> = {}): AlertRule => ({
  id: anId(),
  kind: 'unknown_person',
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
  ...over,
});

export const aSnooze = (over: Partial<Snooze> = {}): Snooze => ({
  id: anId(),
  camera: lobby.id,
  camera_name: 'Lobby',
  rule: null,
  rule_kind: null,
  until: new Date(Date.now() + 60_000).toISOString(),
  for_everyone: false,
  created_by_name: 'Ada Lovelace',
  may_end: true,
  ...over,
});

export const alertPage = (results: Alert[], count = results.length): AlertPage => ({
  count,
  results,
});

interface Scene {
  alerts?: (seen: Seen) => AlertPage | Response | Promise<AlertPage | Response>;
  /** Behind `/alerts`. */
  more?: string;
  user?: User;
  cameras?: Camera[];
  rules?: AlertRule[];
  mode?: HouseModeState;
  snoozes?: Snooze[];
}

/** Answers what the list was asked for. */
export async function openAlerts({
  alerts,
  more = '',
  user = aUser(),
  cameras = [lobby],
  rules = [],
  mode = { mode: 'home', since: null },
  snoozes = [],
}: Scene = {}): Promise<Seen[]> {
  answer(cameraRoutes.list, { count: cameras.length, results: cameras });
  answer(houseModeRoutes.read, mode);
  answer(alertRuleRoutes.list, { results: rules });
  answer(snoozeRoutes.list, { results: snoozes });
  answer(alertRoutes.counts, someCounts());
  const asked = answer(alertRoutes.list, alerts ?? alertPage([anAlert()]));
  await renderApp({ path: `/alerts${more}`, user });
  return asked;
}
