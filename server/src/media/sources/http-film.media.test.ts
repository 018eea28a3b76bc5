/** Films on HTTP servers: with their index at the end, with a single key picture, and on servers that send no parts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { closeHttp, listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { writeCodedFilm, type Coding } from '#testing/coded-film.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { isIndexAtEnd } from './http-film.ts';

const timeout = 60_000;
const http = { type: 'http' } as const;
/** Two seconds, of which only the first picture is a key picture. */
const shape = { ...smallFilm, gop: smallFilm.pictures };
const basic = `Basic ${Buffer.from('viewer:secret').toString('base64')}`;

interface Serving {
  readonly ranges: boolean;
  /** Without a length it is not known to be a film. */
  readonly length?: boolean;
}

async function serve(bytes: Buffer, { ranges, length = true }: Serving) {
  const received: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    if (request.headers.authorization !== basic) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="film"' }).end();
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const isPart = ranges && request.headers.range !== undefined;
    const body = bytes.subarray(isPart ? from : 0);
    response.writeHead(isPart ? 206 : 200, {
      'content-type': 'video/mp4',
      ...(ranges ? { 'accept-ranges': 'bytes' } : {}),
      ...(length ? { 'content-length': body.length } : {}),
      ...(isPart ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    response.end(body);
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/film.mp4`;
  const camera = aCamera('film', url, { ...http, username: 'viewer', password: 'secret' });
  return { camera, received, [Symbol.asyncDispose]: () => closeHttp(server) };
}

async function filmBytes(folder: string, container: Coding['container']): Promise<Buffer> {
  const path = join(folder, 'made');
  const coding = { codec: 'h264', bFrames: 0, shape, bitsPerSecond: 4_000_000 } as const;
  await writeCodedFilm(path, { ...coding, ...(container ? { container } : {}) });
  return readFileSync(path);
}

test(
  'a film with its index at the end is asked for in parts, and begins again',
  { timeout },
  async () => {
    using folder = mediaFolder();
    const bytes = await filmBytes(folder.path, 'mp4');
    assert.ok(isIndexAtEnd(bytes.subarray(0, 4_096)));
    assert.ok(bytes.length > 512 * 1024, 'its end is not near its beginning');
    await using server = await serve(bytes, { ranges: true });
    await using media = openMedia(folder);
    media.watch(server.camera);
    const { codec, width } = await until(media, 'film', 'live');
    assert.deepEqual([codec, width], ['h264', shape.width]);
    const viewer = new Watcher();
    using _ = media.join('film', viewer);
    await viewer.has(1 + shape.pictures + 10);
    assert.equal(viewer.said('stream').length, 1, 'it goes on in the same stream');
    const parts = server.received.filter(({ range }) => range !== undefined);
    assert.ok(parts.length >= 2 && parts.length < 12, `${parts.length} parts`);
  },
);

for (const length of [true, false]) {
  const how = length ? 'with' : 'without';
  test(
    `such a film ${how} a length is kept where a server sends no parts`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using server = await serve(await filmBytes(folder.path, 'mp4'), {
        ranges: false,
        length,
      });
      await using media = openMedia(folder);
      media.watch(server.camera);
      await until(media, 'film', 'live');
      const viewer = new Watcher();
      using _ = media.join('film', viewer);
      await viewer.has(1 + shape.pictures + 10);
      assert.equal(viewer.said('stream').length, 1, 'it begins again');
    },
  );

  test(
    `one ${how} a length that is too large for that is said to be one`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      const bytes = Buffer.alloc(33 * 1024 * 1024);
      Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1').copy(bytes);
      bytes.writeUInt32BE(bytes.length - 16, 16);
      bytes.write('mdat', 20, 'latin1');
      await using server = await serve(bytes, { ranges: false, length });
      await using media = openMedia(folder);
      media.watch(server.camera);
      await until(media, 'film', 'offline', 'not_streamable');
    },
  );
}

for (const container of ['mpegts', 'fragments'] as const) {
  for (const ranges of [true, false]) {
    const how = ranges ? 'in parts' : 'as a whole';
    test(
      `a film (${container}) whose only key picture is its first is shown, sent ${how}`,
      { timeout },
      async () => {
        using folder = mediaFolder();
        await using server = await serve(await filmBytes(folder.path, container), { ranges });
        await using media = openMedia(folder);
        media.watch(server.camera);
        await until(media, 'film', 'live');
        const viewer = new Watcher();
        using _ = media.join('film', viewer);
        await viewer.has(shape.pictures - 5);
      },
    );
  }
}

test('the index of an MP4 is found by its boxes', () => {
  const box = (kind: string, size: number) => {
    const bytes = Buffer.alloc(Math.min(size, 64));
    bytes.writeUInt32BE(size);
    bytes.write(kind, 4, 'latin1');
    return bytes;
  };
  const [ftyp, free] = [box('ftyp', 24), box('free', 8)];
  assert.equal(isIndexAtEnd(Buffer.concat([ftyp, free, box('mdat', 4_000_000)])), true);
  assert.equal(isIndexAtEnd(Buffer.concat([ftyp, free, box('moov', 2_000)])), false);
  assert.equal(isIndexAtEnd(Buffer.concat([ftyp, box('moof', 40)])), false);
  assert.equal(isIndexAtEnd(Buffer.concat([ftyp, Buffer.alloc(64)])), false);
  assert.equal(isIndexAtEnd(Buffer.from('G')), false);
});
