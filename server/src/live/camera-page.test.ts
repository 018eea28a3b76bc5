import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Camera, CameraHealth } from '@nazar/contract/cameras.ts';
import { offHealth } from '#media/protocol/health.ts';
import { cameraPageOf, frameDocument, framePolicy } from './camera-page.ts';

const health = (cause: CameraHealth['cause']): CameraHealth => ({
  ...offHealth,
  state: 'refused',
  cause,
});

type Shown = Pick<Camera, 'status' | 'url' | 'health'>;
const camera = (url: string | undefined, over: Partial<Shown> = {}): Shown => ({
  status: 'active',
  health: health('not_video'),
  ...(url !== undefined && { url }),
  ...over,
});

test('=CAM-025 an address with `.html` opens a tab, =CAM-026 one with `/view` or `/stream` a frame', () => {
  const kinds = [
    'http://cam/live.html',
    'http://cam/view/live.html',
    'https://cam:8443/view/1',
    'http://cam/stream?ch=1',
    'http://cam/index.htm',
    'http://cam/?page=/stream',
    'http://cam.html/',
  ].map((url) => cameraPageOf(camera(url), true)?.isFramed ?? null);
  assert.deepEqual(kinds, [false, false, true, true, null, true, null]);
});

test('CAM-030 only where there is no video, CAM-029 and only of an active camera', () => {
  const url = 'http://cam/view';
  for (const cause of ['none', 'unreachable', 'password_refused'] as const) {
    assert.equal(cameraPageOf(camera(url, { health: health(cause) }), true), null, cause);
  }
  assert.equal(cameraPageOf(camera(url, { status: 'inactive' }), true), null);
});

test('C-307 not for users who may not see the address, C-401 nor for those with a mask before them', () => {
  assert.equal(cameraPageOf(camera(undefined), true), null);
  assert.equal(cameraPageOf(camera('http://cam/view'), false), null);
});

test('H-8 no other scheme, and never a user name or a password', () => {
  for (const url of [
    'rtsp://cam/view',
    'javascript:alert(1)//view',
    'data:text/html,/view',
    '/view',
  ]) {
    assert.equal(cameraPageOf(camera(url), true), null, url);
  }
  const page = cameraPageOf(camera('http://root:s3cret@cam:81/view'), true);
  assert.deepEqual(page, { url: 'http://cam:81/view', isFramed: true });
});

test('C-701 the document frames the origin of this camera and nothing else, sandboxed', () => {
  const page = { url: 'http://cam:81/view/a?b=1&c=2', isFramed: true };
  const policy = framePolicy(page);
  assert.match(policy, /(^|; )frame-src http:\/\/cam:81(;|$)/);
  assert.match(policy, /(^|; )frame-ancestors 'self'(;|$)/);
  assert.match(policy, /(^|; )default-src 'none'(;|$)/);
  assert.match(policy, /(^|; )sandbox allow-scripts$/);
  assert.match(frameDocument(page), /sandbox="allow-scripts" referrerpolicy="no-referrer"/);
  assert.match(frameDocument(page), /src="http:\/\/cam:81\/view\/a\?b=1&amp;c=2"/);
});

test('C-702 an address stays one attribute, whatever stands in it', () => {
  const tags = frameDocument({ url: 'http://cam/view', isFramed: true }).match(/</g)?.length;
  for (const hostile of [
    `http://cam/view"><script>alert(1)</script>`,
    `http://cam/view?'"><img src=x onerror=alert(1)>`,
    'http://cam/view#"><b>',
  ]) {
    const page = cameraPageOf(camera(hostile), true);
    assert.ok(page);
    const [, framed = ''] = /<iframe src="([^"]*)" sandbox=/.exec(frameDocument(page)) ?? [];
    assert.ok(framed.startsWith('http://cam/view'));
    assert.doesNotMatch(framed, /[<>"']/);
    assert.equal(frameDocument(page).match(/</g)?.length, tags);
  }
});

test('C-701 a policy cannot be added to by an address', () => {
  const page = cameraPageOf(camera(`http://cam/view;script-src *`), true);
  assert.ok(page);
  assert.doesNotMatch(framePolicy(page), /script-src/);
});
