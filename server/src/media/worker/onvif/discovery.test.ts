/** Which devices are discovered, and what of their answers is trusted. Everything here stays on loopback. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OnvifCamera } from '@nazar/e2e/farm/onvif-camera.ts';
import * as fc from 'fast-check';
import { aClock } from '#testing/clock.ts';
import { systemClock } from '#lib/clock.ts';
import { discover, readAnswer } from './discovery.ts';
import { plainText } from './plain-text.ts';

const here = { allowLoopback: true, networks: [], ownAddresses: [], ownPorts: [] };
const strict = { ...here, allowLoopback: false };
const waitMs = 200;
const asking = (camera: OnvifCamera, policy = here) =>
  discover({ policy, to: camera.listensAt, waitMs, clock: systemClock });

test('a camera that answers is found by its own address, with its name', async () => {
  await using camera = await OnvifCamera.start();
  assert.deepEqual(await asking(camera), [
    {
      name: 'Dome 1',
      hardware: 'D1',
      location: 'Yard',
      address: '127.0.0.1',
      url: camera.url,
    },
  ]);
});

test('C-510 an answer from an address that no camera may have is ignored', async () => {
  await using camera = await OnvifCamera.start();
  assert.deepEqual(await asking(camera, strict), []);
});

test('C-515 a device that names the address of another is ignored', async () => {
  for (const claims of [
    'http://192.168.1.7/onvif/device_service',
    'http://127.0.0.1.example/onvif',
    'http://user@127.0.0.1/onvif',
    'ftp://127.0.0.1/onvif',
    'rubbish',
    '',
  ]) {
    await using camera = await OnvifCamera.start({ claims });
    assert.deepEqual(await asking(camera), [], claims);
  }
});

const id = 'urn:uuid:1';
const answering = (more: string, relates = id): string =>
  `<e><RelatesTo>${relates}</RelatesTo><XAddrs>http://192.168.1.7/onvif</XAddrs>${more}</e>`;

test('C-515 answers to other probes are not read, and names are one line of plain text', () => {
  const read = (xml: string) => readAnswer(xml, id, '192.168.1.7', strict);
  assert.equal(read(answering('', 'urn:uuid:2')), null);
  const scopes = `<Scopes>onvif://www.onvif.org/name/%3Cb%3EGate%3C/b%3E%0D%0A%E2%80%AE onvif://www.onvif.org/location/%FF</Scopes>`;
  const found = read(answering(scopes))!;
  assert.deepEqual([found.name, found.location], ['<b>Gate</b>', '%FF']);
  assert.equal(plainText('x'.repeat(1000)).length, 100);
});

test('C-515 whatever comes back, reading it ends and throws nothing', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    'RelatesTo',
    'XAddrs',
    'Scopes',
    id,
    ' ',
    'a:',
    'http://',
  );
  const text = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.array(piece, { maxLength: 200 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (xml) => {
      const found = readAnswer(answering(xml), id, '192.168.1.7', strict);
      assert.ok(found === null || found.url.startsWith('http://192.168.1.7'));
    }),
    { numRuns: 2_000 },
  );
});

test('without answers the list is empty after the given time', async () => {
  const clock = aClock();
  const found = discover({ policy: here, to: { address: '127.0.0.1', port: 9 }, waitMs, clock });
  while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(waitMs);
  assert.deepEqual(await found, []);
});
