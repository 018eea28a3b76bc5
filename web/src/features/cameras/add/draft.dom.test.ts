/** What of a camera that is being added survives a reload: never a secret. */
import { expect, test } from 'vitest';
import { draftOf, readDraft, written } from './draft.ts';
import { newCamera } from './new-camera.ts';

const hall = { name: 'Hall', location: 'House', url: 'rtsp://192.168.1.9/stream1' };
const kept = (fields: object, step: 'name' | 'use' = 'name') => {
  const text = written('me', draftOf(step, { ...newCamera, ...fields }, 'continuous'));
  return { text, draft: readDraft('me', text) };
};

test('fields and step are there again', () => {
  const { draft } = kept(hall, 'use');
  expect(draft).toEqual({
    step: 'use',
    fields: { ...newCamera, ...hall },
    recording: 'continuous',
    lacksSecrets: false,
  });
});

test.each([
  { password: 's3cret-word' },
  { username: 'root-s3cret-word' },
  { certificate: 's3cret-word' },
  { url: 'rtsp://root:s3cret-word@192.168.1.9/stream1' },
  { sub_url: 'rtsp://192.168.1.9/user=admin_s3cret-word' },
  { device_url: 'http://192.168.1.9/onvif?x=s3cret-word' },
  { url: 'rtsp://192.168.1.9/token/s3cret-word' },
])('no secret is written down, and its step asks again: %o', (fields) => {
  const { text, draft } = kept({ ...hall, ...fields });
  expect(text).not.toContain('s3cret-word');
  expect(draft).toMatchObject({ step: 'address', lacksSecrets: true, fields: { name: 'Hall' } });
});

test('another account reads nothing of it, and neither is rubbish read', () => {
  expect(readDraft('other', kept(hall).text)).toBeNull();
  expect(readDraft('me', '{"userId":"me","step":"nowhere","fields":{}}')).toBeNull();
  expect(readDraft('me', '{')).toBeNull();
  expect(readDraft('me', null)).toBeNull();
});
