/** HLS as a player reads it: ranges of files, what belongs together, and what does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayedSegment } from './playback-store.ts';
import { playlistOf } from './playlist.ts';

const start = Date.UTC(2026, 0, 15, 12);

function aSegment(id: string, from: number, until: number, stream = 'one'): PlayedSegment {
  return {
    id,
    recording_id: 'recording',
    root_id: 'root',
    path: `${id}.mp4`,
    started_at: new Date(start + from * 1_000),
    ended_at: new Date(start + until * 1_000),
    bytes: 5_000,
    head_bytes: 1_000,
    pictures: 250,
    key_offsets: [1_000],
    key_times: [0],
    sha256: Buffer.alloc(32),
    codec: 'h264',
    mime: 'video/mp4',
    stream_id: stream,
    shows: 'main',
  };
}

const addresses = {
  file: (id: string): string => `segments/${id}/`,
  silentHead: (id: string, sound: string): string => `silent/${id}/${sound}/head`,
  silentFile: (id: string, sound: string): string => `silent/${id}/${sound}/file`,
};

/** Lines of each entry, and those before the first. */
function entriesOf(playlist: string) {
  const lines = playlist.trimEnd().split('\n');
  assert.equal(lines[0], '#EXTM3U');
  assert.equal(lines.at(-1), '#EXT-X-ENDLIST');
  const entries: string[][] = [[]];
  for (const line of lines.slice(6, -1)) {
    entries.at(-1)!.push(line);
    if (!line.startsWith('#')) entries.push([]);
  }
  return { head: lines.slice(0, 6), entries: entries.slice(0, -1) };
}

test('files of one stream that follow one another are ranges behind one beginning', () => {
  const playlist = playlistOf(
    [aSegment('a', 0, 10), aSegment('b', 10, 20.48)],
    start + 3_500,
    addresses,
  );
  const { head, entries } = entriesOf(playlist);
  assert.deepEqual(head.slice(1), [
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:11',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-START:TIME-OFFSET=3.500,PRECISE=YES',
  ]);
  assert.deepEqual(entries, [
    [
      '#EXT-X-MAP:URI="segments/a/",BYTERANGE="1000@0"',
      '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:00.000Z',
      '#EXTINF:10.000,',
      '#EXT-X-BYTERANGE:4000@1000',
      'segments/a/',
    ],
    [
      '#EXT-X-PROGRAM-DATE-TIME:2026-01-15T12:00:10.000Z',
      '#EXTINF:10.480,',
      '#EXT-X-BYTERANGE:4000@1000',
      'segments/b/',
    ],
  ]);
});

test('in parts a file is cut at key pictures two seconds apart, and nothing of it is left out', () => {
  const cut = {
    ...aSegment('a', 0, 10.5),
    key_offsets: [1_000, 1_500, 2_000, 3_000, 4_500],
    key_times: [0, 1_000, 2_000, 4_000, 9_900],
  };
  const playlist = playlistOf([cut, aSegment('b', 10.5, 20)], start, addresses, { inParts: true });
  const pieces = entriesOf(playlist).entries.map((lines) => lines.slice(-3));
  assert.deepEqual(pieces, [
    ['#EXTINF:2.000,', '#EXT-X-BYTERANGE:1000@1000', 'segments/a/'],
    ['#EXTINF:2.000,', '#EXT-X-BYTERANGE:1000@2000', 'segments/a/'],
    ['#EXTINF:5.900,', '#EXT-X-BYTERANGE:1500@3000', 'segments/a/'],
    ['#EXTINF:0.600,', '#EXT-X-BYTERANGE:500@4500', 'segments/a/'],
    ['#EXTINF:9.500,', '#EXT-X-BYTERANGE:4000@1000', 'segments/b/'],
  ]);
  assert.equal(playlist.match(/PROGRAM-DATE-TIME/g)?.length, 2);
});

test('a gap is a discontinuity, and another stream has a beginning of its own', () => {
  const { entries } = entriesOf(
    playlistOf(
      [
        aSegment('a', 0, 10),
        aSegment('b', 10.2, 20),
        aSegment('c', 25, 35),
        aSegment('d', 35, 45, 'two'),
        aSegment('e', 60, 70, 'three'),
      ],
      start - 5_000,
      addresses,
    ),
  );
  const isCut = entries.map(([first]) => first === '#EXT-X-DISCONTINUITY');
  assert.deepEqual(isCut, [false, false, true, true, true]);
  const hasMap = entries.map((lines) => lines.some((line) => line.startsWith('#EXT-X-MAP')));
  assert.deepEqual(hasMap, [true, false, false, true, true]);
});

test('files without sound beside others with sound are asked for with silence in them, none by ranges', () => {
  const withSound = { mime: 'video/mp4; codecs="avc1.64001f,mp4a.40.2"' };
  const segments = [
    aSegment('a', 0, 10, 'one'),
    aSegment('b', 10, 20, 'one'),
    { ...aSegment('c', 20, 30, 'two'), ...withSound },
    aSegment('d', 30, 40, 'three'),
  ];
  const { entries } = entriesOf(playlistOf(segments, start, addresses));
  const named = entries.map((lines) => [
    ...lines.filter((line) => line.startsWith('#EXT-X-MAP')),
    ...lines.filter((line) => line.startsWith('#EXT-X-BYTERANGE')),
    lines.at(-1),
  ]);
  assert.deepEqual(named, [
    ['#EXT-X-MAP:URI="silent/a/c/head"', 'silent/a/c/file'],
    ['silent/b/c/file'],
    ['#EXT-X-MAP:URI="silent/c/c/head"', 'silent/c/c/file'],
    ['#EXT-X-MAP:URI="silent/d/c/head"', 'silent/d/c/file'],
  ]);
});

test('where nothing has sound, or all has, files are played as they are', () => {
  const withSound = { mime: 'video/mp4; codecs="avc1.64001f,mp4a.40.2"' };
  const silent = [aSegment('a', 0, 10, 'one'), aSegment('b', 10, 20, 'two')];
  const other = { ...silent[1]!, mime: 'video/mp4; codecs="avc1.64001f,mp4a.40.5"' };
  const loud = silent.map((segment) => ({ ...segment, ...withSound }));
  for (const segments of [silent, loud, [silent[0]!, other]]) {
    assert.doesNotMatch(playlistOf(segments, start, addresses), /silent/);
  }
});

test('for VLC 3 whatever follows a discontinuity brings its own beginning along, and nothing is imitated', () => {
  const withSound = { mime: 'video/mp4; codecs="avc1.64001f,mp4a.40.2"' };
  const segments = [
    aSegment('a', 0, 10, 'one'),
    aSegment('b', 10, 20, 'one'),
    { ...aSegment('c', 20, 30, 'two'), ...withSound },
    { ...aSegment('d', 30, 40, 'two'), ...withSound },
    { ...aSegment('e', 50, 60, 'two'), ...withSound },
  ];
  const { entries } = entriesOf(playlistOf(segments, start, addresses, { ownHeads: true }));
  assert.deepEqual(
    entries.map((lines) => lines.slice(-2)),
    [
      ['#EXT-X-BYTERANGE:4000@1000', 'segments/a/'],
      ['#EXT-X-BYTERANGE:4000@1000', 'segments/b/'],
      ['#EXT-X-BYTERANGE:5000@0', 'segments/c/'],
      ['#EXT-X-BYTERANGE:4000@1000', 'segments/d/'],
      ['#EXT-X-BYTERANGE:5000@0', 'segments/e/'],
    ],
  );
});

test('a stream whose first file is gone is played with the beginning of the next that is there', () => {
  const segments = [
    aSegment('a', 0, 10),
    aSegment('b', 10, 20),
    aSegment('c', 20, 30),
    aSegment('d', 30, 40, 'two'),
    aSegment('e', 40, 50, 'three'),
  ];
  const isMissing = ({ id }: PlayedSegment): boolean => ['a', 'b', 'd'].includes(id);
  const { entries } = entriesOf(playlistOf(segments, start, addresses, { isMissing }));
  const maps = entries.map((lines) => lines.find((line) => line.startsWith('#EXT-X-MAP')) ?? null);
  assert.deepEqual(maps, [
    '#EXT-X-MAP:URI="segments/c/",BYTERANGE="1000@0"',
    null,
    null,
    // None of its stream is there: asking for it says so.
    '#EXT-X-MAP:URI="segments/d/",BYTERANGE="1000@0"',
    '#EXT-X-MAP:URI="segments/e/",BYTERANGE="1000@0"',
  ]);
  assert.deepEqual(
    entries.map((lines) => lines.at(-1)),
    ['a', 'b', 'c', 'd', 'e'].map((id) => `segments/${id}/`),
  );
  const sounding = ['a', 'c'].map((id) => ({
    ...segments[id === 'a' ? 0 : 2]!,
    mime: 'video/mp4; codecs="avc1.64001f,mp4a.40.2"',
  }));
  const mixed = playlistOf([sounding[0]!, segments[1]!, sounding[1]!], start, addresses, {
    isMissing,
  });
  assert.match(mixed, /silent\/c\/c\/head/);
  assert.match(mixed, /silent\/b\/c\/file/);
});
