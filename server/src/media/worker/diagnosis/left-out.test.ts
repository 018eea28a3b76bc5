/** Whatever a camera says of its owner, its house and itself: none of it is in the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addressForm, leftOut, productOf, Secrets } from './left-out.ts';
import { reportedHead } from './reported-head.ts';
import { reportedPlaylist } from './reported-playlist.ts';
import { reportedSdp } from './reported-sdp.ts';

const head = [
  'RTSP/1.0 200 OK',
  'CSeq: 3',
  'Server: Dahua Rtsp Server/2.0 (LIVE555 v2014.05.27)',
  'Public: OPTIONS, DESCRIBE, SETUP',
  'Content-Type: application/sdp',
  'Content-Base: rtsp://192.168.1.20:554/cam/realmonitor/',
  'Content-Length: 512',
  'Transport: RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=0A0B0C0D;source=192.168.1.20',
  'Session: 1234567890;timeout=60',
  'WWW-Authenticate: Digest realm="Login to 3J0A1B2", nonce="abcdef", algorithm=MD5, qop="auth"',
  'RTP-Info: url=rtsp://192.168.1.20/trackID=0;seq=1;rtptime=2',
  'Range: npt=0.000-',
  'X-Serial: 3J0A1B2PAZ12345',
].join('\r\n');
const sdp = [
  'v=0',
  'o=Anna 123 1 IN IP4 192.168.1.20',
  's=Front door of Anna',
  'i=3J0A1B2PAZ12345',
  'e=anna@example.org',
  'c=IN IP4 192.168.1.20',
  't=0 0',
  'a=geo:40.4,49.8',
  'a=tool:3J0A1B2PAZ12345',
  'a=control:*',
  'm=video 0 RTP/AVP 96',
  'b=AS:4000',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1;profile-level-id=64001f;sprop-parameter-sets=Z2Q=,aO4=;owner=Anna',
  'a=framerate:25.0',
  'a=control:rtsp://192.168.1.20/cam/trackID=0',
  'm=audio 0 RTP/AVP 8',
].join('\r\n');
const playlist = [
  '#EXTM3U',
  '#EXT-X-TARGETDURATION:4',
  '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,NAME="Front door"',
  '#EXT-X-PROGRAM-DATE-TIME:2026-11-23T10:00:00+04:00',
  '#EXT-X-MAP:URI="head.mp4"',
  '#EXTINF:4.000,Front door',
  'house/1.seg',
].join('\n');

test('~C-604 only what is known to be harmless is kept of a camera’s answers', () => {
  assert.deepEqual(reportedHead(head), [
    'RTSP/1.0 200',
    'server: Dahua Rtsp Server 2.0 LIVE555 v2014.05.27',
    'public: OPTIONS, DESCRIBE, SETUP',
    'content-type: application/sdp',
    'content-base: rtsp://(left out)/',
    'content-length: 512',
    'transport: RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=(left out);source=(left out)',
    'session: (left out);timeout=60',
    'www-authenticate: Digest algorithm=MD5 qop=auth',
    'rtp-info: url=rtsp://(left out)/trackID=0;seq=1;rtptime=2',
    'range: npt=0.000-',
    'and 2 other headers',
  ]);
  assert.deepEqual(reportedSdp(sdp), [
    'v=0',
    'o=(left out)',
    's=(left out)',
    'i=(left out)',
    'e=(left out)',
    'c=(left out)',
    't=0 0',
    'a=(left out)',
    'a=tool:(left out)',
    'a=control:*',
    'm=video 0 RTP/AVP 96',
    'b=AS:4000',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 packetization-mode=1;profile-level-id=64001f;sprop-parameter-sets=Z2Q=,aO4=;(left out)',
    'a=framerate:25.0',
    'a=control:rtsp://(left out)/trackID=0',
    'm=audio 0 RTP/AVP 8',
  ]);
  assert.deepEqual(reportedPlaylist(playlist), [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360',
    '#EXT-X-PROGRAM-DATE-TIME:(left out)',
    '#EXT-X-MAP:(left out)',
    '#EXTINF:4.000,',
    '(left out)',
  ]);
});

/** Each holds a character that no number, no name of a protocol and no base64 has. */
const canary = fc
  .tuple(
    fc.constantFrom('3J0-', 'Anna ', 'ünal', '40.4093,49.8671 ', 'AA:BB:CC:DD:EE:'),
    fc.nat(99),
  )
  .map(([word, number]) => `${word}Zq9${number}`);

test('~C-604 what a camera puts anywhere into its answers is not revealed', () => {
  const cases = [
    [head, reportedHead],
    [sdp, reportedSdp],
    [playlist, reportedPlaylist],
  ] as const;
  const place = fc.constantFrom(...cases);
  fc.assert(
    fc.property(place, fc.nat(), canary, ([text, tell], at, secret) => {
      const cut = at % (text.length + 1);
      const written = tell(text.slice(0, cut) + secret + text.slice(cut)).join('\n');
      assert.ok(!written.includes(secret) && !written.includes('Zq9'), written);
    }),
    { numRuns: 5_000 },
  );
});

test('~C-604 the words of the address and the account are found wherever they are repeated', () => {
  const url = 'rtsp://front-door.example:8554/house%207/live?key=t0ken';
  const secrets = new Secrets({ url, username: 'anna', password: 'p@ss w' });
  const said =
    'FRONT-DOOR.example: Anna, p@ss w, p%40ss%20w, /house 7/live, /house%207/live, t0ken';
  assert.equal(
    secrets.without(said),
    [0, 1, 2, 3, 4, 5, 6]
      .map(() => leftOut)
      .join(', ')
      .replace(', ', ': '),
  );
  assert.equal(secrets.without('m=video 0 RTP/AVP 96'), 'm=video 0 RTP/AVP 96');
});

test('products are recognized by their words and versions, addresses by their form', () => {
  assert.equal(productOf('Hipcam RealServer/V1.0'), 'Hipcam RealServer V1.0');
  assert.equal(productOf('H264DVR 1.0'), 'H264DVR 1.0');
  assert.equal(productOf('App-webs/'), 'App-webs');
  assert.equal(productOf('Boa/0.94.14rc21'), 'Boa 0.94.14rc21');
  assert.equal(
    productOf('DS-2CD2032 V100R001 192.168.1.7 20160314'),
    [0, 1, 2, 3].map(() => leftOut).join(' '),
  );
  assert.equal(addressForm('track1'), 'track1');
  assert.equal(addressForm('/live/ch01/trackID=2'), '/(left out)/trackID=2');
  assert.equal(addressForm('http://10.0.0.1/onvif?id=7'), 'http://(left out)/(left out)');
  assert.equal(addressForm(''), '');
});
