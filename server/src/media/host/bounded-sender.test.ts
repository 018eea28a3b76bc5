import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offHealth } from '../protocol/health.ts';
import { BoundedSender } from './bounded-sender.ts';

test('R-10 a server that does not read costs live pictures, never the host`s memory', () => {
  const sent: string[] = [];
  const peer = {
    queuedBytes: 0,
    tell: (message: unknown) => void sent.push((message as { kind: string }).kind),
  };
  const outlet = new BoundedSender();
  const picture = (key: boolean) =>
    outlet.tell(peer, { kind: 'fragment', cameraId: 'a', stream: 'main', key, at: 0, wallMs: 0 });
  const seen = { kind: 'seen', cameraId: 'a', at: 0, wallMs: 0, width: 1, height: 1 } as const;
  picture(true);
  peer.queuedBytes = 9 * 1024 * 1024;
  picture(false);
  const shownAt = { main: 0, sub: null, masked: null };
  const shownIn = { main: null, sub: null, masked: null };
  const painted = { rotation: 0, masks: '', shows: null } as const;
  outlet.tell(peer, {
    ...seen,
    shownAt,
    shownIn,
    painted,
    mainScale: 1,
    isInMainStream: false,
    cut: false,
    faces: [],
  });
  outlet.tell(peer, { kind: 'health', cameraId: 'a', health: offHealth });
  peer.queuedBytes = 0;
  picture(false); // depends on a picture that was left out
  assert.deepEqual(sent, ['fragment', 'health']);
  picture(true);
  picture(false);
  assert.deepEqual(sent.slice(2), ['fragment', 'fragment']);
});
