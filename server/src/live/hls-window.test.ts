import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HlsWindow } from './hls-window.ts';

/** One picture; a second has two. */
function picture(window: HlsWindow, at: number, key: boolean): void {
  const head = { kind: 'fragment', cameraId: 'a', stream: 'main', key, at, wallMs: 0 } as const;
  window.binary(Buffer.from(`${key ? 'K' : 'p'}${at};`), head);
}

function begin(window: HlsWindow, name: string): void {
  const mime = 'video/mp4; codecs="avc1.64001f"';
  window.text(JSON.stringify({ kind: 'stream', mime, width: 1, height: 1 }));
  window.binary(Buffer.from(name), null);
}

/** Key pictures every `gop` seconds from `from` to `until`. */
function film(window: HlsWindow, from: number, until: number, gop: number): void {
  for (let at = from; at < until; at += 0.5) picture(window, at, (at - from) % gop === 0);
}

test('~NSH-013 segments go from key picture to key picture and last a second at least', async () => {
  const window = new HlsWindow();
  begin(window, 'head');
  assert.equal(window.master('x'), null);
  film(window, 0, 4, 2);
  picture(window, 4, true);
  picture(window, 4.5, true);
  picture(window, 5, true);
  await window.ready;
  assert.equal(
    window.media(),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
      '#EXT-X-MAP:URI="init-1.mp4"',
      '#EXTINF:2.000,',
      '0.m4s',
      '#EXTINF:2.000,',
      '1.m4s',
      '#EXTINF:1.000,',
      '2.m4s',
      '',
    ].join('\n'),
  );
  assert.equal(window.part('init-1.mp4')?.toString(), 'head');
  assert.equal(window.part('1.m4s')?.toString(), 'K2;p2.5;p3;p3.5;');
  assert.match(window.master('x') ?? '', /BANDWIDTH=\d+,CODECS="avc1\.64001f"\nx\n$/);
});

test('the window goes along: six segments, numbered on, and what they need', () => {
  const window = new HlsWindow();
  begin(window, 'first');
  film(window, 0, 10, 1);
  begin(window, 'second');
  film(window, 0, 3.5, 1);
  const text = window.media() ?? '';
  assert.match(text, /MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n/);
  assert.match(text, /9\.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-2\.mp4"\n/);
  assert.equal(window.part('6.m4s'), null);
  film(window, 4, 9, 1);
  assert.match(window.media() ?? '', /DISCONTINUITY-SEQUENCE:1\n#EXT-X-MAP:URI="init-2\.mp4"/);
  assert.equal(window.part('init-1.mp4'), null, 'nobody needs it any more');
  for (const name of ['../x', 'init-2.mp4/', '', '12', 'init-.mp4'])
    assert.equal(window.part(name), null);
});

test('a stream without a second key picture is not kept for ever', () => {
  const window = new HlsWindow();
  begin(window, 'head');
  const head = { kind: 'fragment', cameraId: 'a', stream: 'main', wallMs: 0 } as const;
  for (let at = 0; at < 40; at++)
    window.binary(Buffer.alloc(1024 * 1024), { ...head, key: at === 0, at });
  picture(window, 41, true);
  picture(window, 43, true);
  assert.equal(window.part('0.m4s')?.toString(), 'K41;');
});
