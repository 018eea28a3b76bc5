import { Recording } from '@nazar/contract/recordings.ts';
import { expect, test } from 'vitest';
import { aRecording } from '#testing/recordings.ts';
import { keepRecordings, lastRecordings } from './last-recordings.ts';

const at = Date.parse('2026-01-15T13:00:00Z');
const dayMs = 24 * 60 * 60_000;
const cameraId = aRecording().cameraId;
const name = { cameraId, day: '2026-01-15', timezone: 'Asia/Baku' };
const page = { count: 1, results: [aRecording()] };

const keep = (): void => keepRecordings('me', name, 'Gate', page, at);

test('CFL-051, ~C-1010 the copy holds neither addresses nor pictures, nor what joins later', () => {
  const later = { ...aRecording(), url: 'rtsp://192.168.1.20/secret' };
  keepRecordings('me', name, 'Gate', { count: 1, results: [later] }, at);
  expect(localStorage.getItem('recordings')).not.toMatch(/secure-api|secret|thumbnail|"path"/);
  const kept = lastRecordings('me', cameraId, at);
  expect(kept).toMatchObject({ at, cameraName: 'Gate', day: '2026-01-15', page: { count: 1 } });
  const [recording] = kept?.page.results ?? [];
  expect(Recording['~standard'].validate(recording)).not.toHaveProperty('issues');
  expect(recording).toEqual({ ...aRecording({ id: later.id }), path: '', thumbnail: '' });
});

test('CFL-051 a copy is its user’s own, and of one camera', () => {
  keep();
  expect(lastRecordings('me', cameraId, at)).not.toBeNull();
  expect(lastRecordings('another', cameraId, at)).toBeNull();
  expect(lastRecordings('me', 'another', at)).toBeNull();
});

test('CFL-051 a copy lives 24 h at most, and is gone then', () => {
  keep();
  expect(lastRecordings('me', cameraId, at + dayMs - 1)).not.toBeNull();
  expect(lastRecordings('me', cameraId, at + dayMs)).toBeNull();
  expect(localStorage.getItem('recordings')).toBeNull();
});

test.each([
  ['no JSON', '{'],
  ['another thing', '7'],
  ['a list of something else', JSON.stringify({ user_id: 'me', at, value: { results: [7] } })],
])('%s is no copy', (_what, text) => {
  localStorage.setItem('recordings', text);
  expect(lastRecordings('me', cameraId, at)).toBeNull();
});
