/** Things of the contract with sensible contents; a test names only what it is about. */
import type { Preferences, User } from '@nazar/contract/accounts.ts';
import type { Summary } from '@nazar/contract/analytics.ts';
import { defaultPreferences } from '#api/session.ts';

export const aUser = (over: Partial<User> = {}): User => ({
  id: '11111111-1111-4111-8111-111111111111',
  email: 'aysel@example.com',
  first_name: 'Aysel',
  last_name: 'Quliyeva',
  role: 'superadmin',
  is_staff: true,
  is_superuser: true,
  joinDate: '2026-01-02T03:04:05.000Z',
  ...over,
});

export const somePreferences = (over: Partial<Preferences> = {}): Preferences => ({
  ...defaultPreferences,
  ...over,
});

export const aSummary = (over: Partial<Summary> = {}): Summary => ({
  face_stats: { total: 12, known: 12, unknown: 3, trend: null },
  camera_stats: { total: 4, active: 3, inactive: 1, maintenance: 0, error: 0 },
  recognition_rate: { rate: 95.3, trend: null },
  traffic_flow: [],
  ...over,
});
