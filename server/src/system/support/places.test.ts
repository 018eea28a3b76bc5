import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsWithoutPlaces, withoutPlaces } from './places.ts';

test('C-604 addresses, host names and paths leave a text, and what says where our code failed stays', () => {
  const cases: [string, string][] = [
    ['rtsp://cam.example.org:554/gate/1 is silent', '[address] is silent'],
    ['connect ECONNREFUSED 192.0.2.7:554', 'connect ECONNREFUSED [address]:554'],
    [
      'connect EHOSTUNREACH 2001:db8::7:1 at 12:30:45',
      'connect EHOSTUNREACH [address] at 12:30:45',
    ],
    ['getaddrinfo ENOTFOUND nvr.example.org', 'getaddrinfo ENOTFOUND [address]'],
    [
      "Host: nvr.example.org. is not in the cert's altnames: DNS:cam",
      "Host: [address] is not in the cert's altnames: DNS: [address]",
    ],
    ["ENOENT: no such file, open '/srv/anna/film.mp4'", "ENOENT: no such file, open '[path]'"],
    [
      'at run (file:///home/anna/nazar/server/src/main.ts:10:5)',
      'at run (server/src/main.ts:10:5)',
    ],
    [
      'at run (/home/anna/nazar/node_modules/pg/lib/client.js:1:2)',
      'at run (node_modules/pg/lib/client.js:1:2)',
    ],
    ['at node:internal/modules/esm/loader:1:2', 'at node:internal/modules/esm/loader:1:2'],
    ['at draw (https://nazar.example.org/assets/app.js:10:42)', 'at draw (/assets/app.js:10:42)'],
    ["ENOENT, open '/srv/anna b/a film.mp4'", "ENOENT, open '[path]'"],
    [String.raw`EPERM: open 'C:\Users\Anna Example\nazar\a.db'`, "EPERM: open '[path]'"],
    [String.raw`at C:\Program Files\Anna\x.log now`, 'at [path] now'],
    [String.raw`{"path":"D:\\Anna\\x.log"}`, '{"path":"[path]"}'],
    [String.raw`from \\nas-anna\cameras 7\x.mp4`, 'from [path]'],
    ['open E:/Anna/x.mp4', 'open [path]'],
    [
      String.raw`at run (C:\Users\Anna\nazar\server\src\main.ts:10:5)`,
      'at run (server/src/main.ts:10:5)',
    ],
    [
      'at run (file:///C:/Users/Anna/nazar/server/src/main.ts:1:5)',
      'at run (server/src/main.ts:1:5)',
    ],
    ['draw@https://nazar.example.org/assets/app.js:10:42', 'draw@/assets/app.js:10:42'],
    [
      'nvr.home.arpa and cam1.lan:554 and nvr.firma.az are away',
      '[address] and [address]:554 and [address] are away',
    ],
    [
      't.id is not a function in Object.keys (app.js:10:42)',
      't.id is not a function in Object.keys (app.js:10:42)',
    ],
    ['Nazar 1.2.3 at 12:30:45', 'Nazar 1.2.3 at 12:30:45'],
    ['/secure-api/cameras/:id/ answered 500', '/secure-api/cameras/:id/ answered 500'],
    ['a host for each camera, 3 of 4/5', 'a host for each camera, 3 of 4/5'],
  ];
  for (const [text, left] of cases) assert.equal(withoutPlaces(text), left);
});

test('C-604 fields that say where something is go, whatever they hold; a process keeps its name', () => {
  const details = {
    host: 'media-1',
    camera: '01930f5e-0000-7000-8000-000000000001',
    ms: 12,
    database: 'nvr/nazar',
    hostNames: ['nvr'],
    recordingFolders: ['/srv/anna'],
    err: { message: 'open /srv/anna/film.mp4', address: '192.0.2.7', port: 554 },
    moved: ['rtsp://192.0.2.7/1'],
  };
  assert.deepEqual(detailsWithoutPlaces(details), {
    host: 'media-1',
    camera: '01930f5e-0000-7000-8000-000000000001',
    ms: 12,
    database: '[removed]',
    hostNames: '[removed]',
    recordingFolders: '[removed]',
    err: { message: 'open [path]', address: '[removed]', port: 554 },
    moved: ['[address]'],
  });
  assert.deepEqual(detailsWithoutPlaces({ host: 'nvr' }), { host: '[removed]' });
});
