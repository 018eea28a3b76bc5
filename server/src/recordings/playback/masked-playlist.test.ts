/** HLS in parts that are made on request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedPlaylistOf } from './masked-playlist.ts';
import { partsOf } from './parts.ts';
import type { PlayedSegment } from './playback-store.ts';

const start = Date.UTC(2026, 0, 15, 12);

function aSegment(id: string, from: number, keyTimes: number[], stream = 'one'): PlayedSegment {
  return {
    id,
    recording_id: 'recording',
    root_id: 'root',
    path: `${id}.mp4`,
    started_at: new Date(start + from * 1_000),
    ended_at: new Date(start + from * 1_000 + 10_000),
    bytes: 11_000,
    head_bytes: 1_000,
    pictures: 250,
    key_offsets: keyTimes.map((atMs) => 1_000 + atMs),
    key_times: keyTimes,
    sha256: Buffer.alloc(32),
    codec: 'h264',
    mime: 'video/mp4',
    stream_id: stream,
    shows: 'main',
  };
}

const addresses = {
  head: (id: string, from: number): string => `head/${id}/${from}`,
  part: (id: string, from: number): string => `part/${id}/${from}`,
};

test('a part begins at a key picture and lasts two seconds, or until the next one', () => {
  const everySecond = Array.from({ length: 10 }, (_, second) => second * 1_000);
  assert.deepEqual(
    partsOf(aSegment('a', 0, everySecond)).map(({ from, until, atMs, untilMs }) => [
      from,
      until,
      atMs,
      untilMs,
    ]),
    [
      [1_000, 3_000, 0, 2_000],
      [3_000, 5_000, 2_000, 4_000],
      [5_000, 7_000, 4_000, 6_000],
      [7_000, 9_000, 6_000, 8_000],
      [9_000, 11_000, 8_000, 10_000],
    ],
  );
  assert.deepEqual(partsOf(aSegment('a', 0, [0, 4_000])).length, 2);
  const [whole] = partsOf(aSegment('a', 0, [0]));
  assert.deepEqual([whole!.from, whole!.until, whole!.untilMs], [1_000, 11_000, 10_000]);
});

test('parts of one stream stand behind one beginning', () => {
  const segments = [
    aSegment('a', 0, [0, 4_000, 8_000]),
    aSegment('b', 10, [0, 5_000]),
    aSegment('c', 30, [0, 5_000]),
    aSegment('d', 40, [0], 'two'),
  ];
  const lines = maskedPlaylistOf(segments, start + 5_000, addresses)
    .trimEnd()
    .split('\n');
  assert.deepEqual(lines, [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:10',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-START:TIME-OFFSET=5.000,PRECISE=YES',
    '#EXT-X-MAP:URI="head/a/1000"',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:00.000Z',
    '#EXTINF:4.000,',
    'part/a/1000',
    '#EXTINF:4.000,',
    'part/a/5000',
    '#EXTINF:2.000,',
    'part/a/9000',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:10.000Z',
    '#EXTINF:5.000,',
    'part/b/1000',
    '#EXTINF:5.000,',
    'part/b/6000',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:30.000Z',
    '#EXTINF:5.000,',
    'part/c/1000',
    '#EXTINF:5.000,',
    'part/c/6000',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-MAP:URI="head/d/1000"',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:40.000Z',
    '#EXTINF:10.000,',
    'part/d/1000',
    '#EXT-X-ENDLIST',
  ]);
});

test('parts of a stream whose first file is gone stand behind the beginning of the next', () => {
  const segments = [aSegment('a', 0, [0]), aSegment('b', 10, [0, 5_000])];
  const list = maskedPlaylistOf(segments, start, addresses, ({ id }) => id === 'a');
  assert.match(list, /#EXT-X-MAP:URI="head\/b\/1000"/);
  assert.match(list, /^part\/a\/1000$/m);
});
