import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IngestFault } from '../protocol/fault.ts';
import { readPlaylist } from './hls-playlist.ts';
import { isStillFor } from './http-get.ts';

const base = new URL('http://10.0.0.5:8080/live/list.m3u8?x=1');
const text = (...lines: readonly string[]): string => ['#EXTM3U', ...lines].join('\r\n');
const faultOf = (playlist: string): string => {
  try {
    readPlaylist(playlist, base);
    return 'none';
  } catch (error) {
    assert.ok(error instanceof IngestFault);
    return error.fault;
  }
};

test('segments of a live playlist are numbered, with their heads and discontinuities', () => {
  const playlist = readPlaylist(
    text(
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-MEDIA-SEQUENCE:17',
      '#EXT-X-MAP:URI="/head.mp4"',
      '#EXTINF:3.96,a title, with a comma',
      'a.m4s',
      '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:00Z',
      '#EXT-X-DISCONTINUITY',
      '#EXTINF:4,',
      'http://10.0.0.6/b.m4s?token=1',
    ),
    base,
  );
  assert.ok(playlist.kind === 'segments');
  assert.deepEqual(
    playlist.segments.map(({ url, head, ...rest }) => ({
      ...rest,
      url: url.href,
      head: head?.href,
    })),
    [
      {
        url: 'http://10.0.0.5:8080/live/a.m4s',
        head: 'http://10.0.0.5:8080/head.mp4',
        sequence: 17,
        seconds: 3.96,
        isDiscontinuity: false,
      },
      {
        url: 'http://10.0.0.6/b.m4s?token=1',
        head: 'http://10.0.0.5:8080/head.mp4',
        sequence: 18,
        seconds: 4,
        isDiscontinuity: true,
      },
    ],
  );
  assert.deepEqual([playlist.targetSeconds, playlist.isEnded], [4, false]);
});

test('a multivariant playlist lists each stream with its bandwidth', () => {
  const choice = readPlaylist(
    text('#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=64000,CODECS="a,b"', 'low/l.m3u8'),
    base,
  );
  assert.ok(choice.kind === 'choice');
  assert.deepEqual(
    choice.streams.map(({ url, bitsPerSecond }) => [url.href, bitsPerSecond]),
    [['http://10.0.0.5:8080/live/low/l.m3u8', 64_000]],
  );
});

test('C-515 a text that is no playlist, is encrypted, or has no end, is refused', () => {
  assert.equal(faultOf('<html>'), 'not_video');
  assert.equal(faultOf(''), 'not_video');
  assert.equal(
    faultOf(text('#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"', '#EXTINF:1,', 'a')),
    'encrypted',
  );
  assert.equal(faultOf(text('#EXT-X-KEY:METHOD=NONE', '#EXTINF:1,', 'a')), 'none');
  assert.equal(faultOf(text('#EXTINF:1,', '#EXT-X-BYTERANGE:5@0', 'a')), 'not_video');
  assert.equal(faultOf(text('#EXTINF:1,', 'http://[')), 'not_video');
  assert.equal(faultOf(text('#EXT-X-STREAM-INF:BANDWIDTH=1')), 'not_video');
  assert.equal(faultOf(text('#EXTINF:1,\r\na\r\n'.repeat(10_001))), 'not_video');
});

test('C-512 credentials stay with their host, and are not sent unencrypted after TLS', () => {
  const still = (next: string, given: string): boolean => isStillFor(new URL(next), new URL(given));
  assert.equal(still('http://camera/b', 'http://camera/a'), true);
  assert.equal(still('https://camera/b', 'http://camera/a'), true);
  assert.equal(still('http://camera/b', 'https://camera/a'), false);
  assert.equal(still('http://other/a', 'http://camera/a'), false);
  assert.equal(still('http://camera:81/a', 'http://camera/a'), false);
});
