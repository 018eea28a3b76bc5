import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readOffer, writeOffer } from './offer.ts';

/** An offer of Chromium, shortened to what matters here. */
const chromium = [
  'v=0',
  'o=- 46117317 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=video 51472 UDP/TLS/RTP/SAVPF 96 103 107 109',
  'c=IN IP4 203.0.113.7',
  'a=candidate:1 1 udp 2113937151 203.0.113.7 51472 typ host',
  'a=ice-ufrag:Oyef',
  'a=ice-pwd:bHd7Ihk5nYnXKfXUNy2xsQCy',
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=extmap:4 urn:3gpp:video-orientation',
  'a=recvonly',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:103 H264/90000',
  'a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f',
  'a=rtpmap:107 H264/90000',
  'a=fmtp:107 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:109 H264/90000',
  'a=fmtp:109 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=640c1f',
  '',
].join('\r\n');

test('the stream’s own profile is taken where it is offered, else the one that all have', () => {
  assert.equal(readOffer(chromium, '64')?.payloadType, 109);
  assert.equal(readOffer(chromium, '4d')?.payloadType, 107);
  assert.equal(readOffer(chromium, '42')?.payloadType, 107);
});

test('C-511 addresses of an offer go no further, and nothing else that was not understood', () => {
  const offer = readOffer(chromium.replace('s=-', 's=-\r\na=evil:1'), '42')!;
  const written = writeOffer(offer);
  assert.doesNotMatch(written, /203\.0\.113|candidate|evil|VP8/);
  assert.deepEqual(readOffer(written, '42'), offer, 'what was understood is all there');
});

test('offers without one H.264 video, or without a part that is needed, are refused', () => {
  const without = (line: RegExp): string => chromium.replace(line, '');
  const audio = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';
  const offers = [
    '',
    `${chromium}${audio}`,
    chromium.replace('m=video', 'm=application'),
    without(/a=rtpmap:10[79] H264.*\r\n/g),
    without(/a=mid.*\r\n/),
    without(/a=ice-ufrag.*\r\n/),
    without(/a=ice-pwd.*\r\n/),
    without(/a=fingerprint.*\r\n/),
    chromium.replace('a=mid:0', 'a=mid:0 evil'),
  ];
  for (const offer of offers) assert.equal(readOffer(offer, '42'), null, offer);
});

test('C-515 whatever an offer says, it is refused or rewritten in lines of our own', () => {
  const lines = chromium.split('\r\n');
  const noise = fc.string({ maxLength: 80 });
  const offer = fc.array(fc.oneof(fc.constantFrom(...lines), noise), { maxLength: 60 });
  fc.assert(
    fc.property(offer, (said) => {
      const read = readOffer(said.join('\r\n'), '42');
      if (!read) return;
      for (const line of writeOffer(read).trimEnd().split('\r\n')) {
        assert.match(line, /^[votscma]=[\w .:;=/+,-]*$/);
      }
    }),
  );
});
