/** Exports, holds and bookmarks with sensible contents, and their parts without the page that puts them together. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { Bookmark } from '@nazar/contract/bookmarks.ts';
import type { RecordingExport } from '@nazar/contract/exports.ts';
import type { Hold } from '@nazar/contract/recording-plans.ts';
import type { User } from '@nazar/contract/accounts.ts';
import type { ReactNode } from 'react';
import { makeQueryClient } from '#api/query.ts';
import { defaultPreferences, session } from '#api/session.ts';
import { aUser, anId } from './builders.ts';

export const gate = { id: '44444444-4444-4444-8444-444444444444', name: 'Вход' };
export const yard = { id: '55555555-5555-4555-8555-555555555555', name: 'Yard' };

/** By the clock of the machine that tests: what is typed is read by it. */
export const noon = new Date(2026, 2, 4, 12).getTime();
export const at = (seconds: number): string => new Date(noon + seconds * 1000).toISOString();

const aysel = { id: aUser().id, name: 'Aysel Quliyeva' };

export const anExport = (over: Partial<RecordingExport> = {}): RecordingExport => ({
  id: anId(),
  camera_id: gate.id,
  camera_name: gate.name,
  file_name: 'Вход-20260304T120000Z.mp4',
  from: at(0),
  until: at(450),
  created_by: aysel,
  created_at: at(3600),
  status: 'done',
  progress: 1,
  fault: null,
  bytes: 123_456_789,
  sha256: 'ab'.repeat(32),
  seconds: 450,
  expires_at: at(90_000),
  encoded_seconds: 0,
  left_out_seconds: 0,
  masked: false,
  ...over,
});

/** One that is not made yet. */
export const unfinished = (over: Partial<RecordingExport> = {}): RecordingExport =>
  anExport({
    status: 'waiting',
    progress: 0,
    bytes: null,
    sha256: null,
    seconds: null,
    expires_at: null,
    ...over,
  });

export const aHold = (over: Partial<Hold> = {}): Hold => ({
  id: anId(),
  camera_id: gate.id,
  camera_name: gate.name,
  from: at(0),
  until: at(450),
  reason: 'Case 17',
  created_by: aysel,
  created_at: at(3600),
  ...over,
});

export const aBookmark = (over: Partial<Bookmark> = {}): Bookmark => ({
  id: anId(),
  camera_id: gate.id,
  at: at(7),
  note: 'A parcel',
  created_by: aysel,
  created_at: at(3600),
  may_delete: true,
  ...over,
});

export const aGuard = (): User => aUser({ role: 'user', is_staff: false, is_superuser: false });

/** As this user sees it. */
export function renderPart(part: ReactNode, user: User = aUser()): RenderResult {
  localStorage.setItem('auth-token', 'good');
  session.set({ kind: 'in', user, preferences: defaultPreferences });
  const client = makeQueryClient();
  const around = (children: ReactNode) => (
    <QueryClientProvider client={client}>
      <main tabIndex={-1}>{children}</main>
    </QueryClientProvider>
  );
  const result = render(around(part));
  return { ...result, rerender: (next) => result.rerender(around(next)) };
}
