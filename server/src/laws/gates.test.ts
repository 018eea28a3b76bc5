/**
 * What must not be in the product at all, read from its source: shells, hooks, roads to elsewhere, loose
 * dependencies. A list here is the whole list; each new line says why.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { api } from '@nazar/contract/api.ts';
import { atEachPath, type Route } from '@nazar/contract/route.ts';
import { z, type ZodMiniType } from 'zod/mini';
import { matrix } from '#testing/rights-matrix.ts';
import { listedRoutes, routes } from '#testing/routes.ts';

const src = dirname(import.meta.dirname);
const root = join(src, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const isTest = (file: string): boolean => /\.test\.tsx?$|^testing\//.test(file);
const files = globSync('**/*.ts', { cwd: src }).filter((file) => !isTest(file));
const source = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));

const filesWith = (pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(source.get(file)!)).toSorted();

test('C-502 programs are started in seven places, with lists of words and never through a shell’s reading', () => {
  assert.deepEqual(filesWith(/from 'node:child_process'/), [
    'db/initdb.ts',
    'db/postmaster.ts',
    'db/processes.ts', // /bin/sh with a fixed text; the folder is a word of its own
    'launch.ts', // /bin/sh with a fixed text that sets a limit and becomes the server
    'lib/child.ts',
    'lib/host.ts',
    'vision/setup/package-files.ts', // npm, at set-up, which downloads one pinned package
  ]);
  assert.deepEqual(filesWith(/(?<![.\w])(?:exec|execSync|execFile|execFileSync|fork)\(/), []);
  assert.deepEqual(filesWith(/\bshell: /), []);
  assert.deepEqual(filesWith(/(?<![.\w])eval\(|new Function\(/), []);
  assert.deepEqual(filesWith(/'node:vm'/), ['vision-host.ts']); // a fixed text: the garbage collector
  assert.deepEqual(filesWith(/'\/bin\/sh'/), ['db/processes.ts', 'launch.ts']);
});

/** Names of all fields of a schema, however deep. */
function fieldsOf(schema: ZodMiniType | undefined, io: 'input' | 'output'): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value) found.push(...Object.keys(value.properties as object));
    Object.values(value).forEach(walk);
  };
  if (schema) walk(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  return found;
}

test('C-505 no field and no setting takes a command, an option of FFmpeg, a script or a hook', () => {
  const taken = routes.flatMap(({ query, body }) =>
    [query, body].flatMap((it) => fieldsOf(it, 'input')),
  );
  assert.ok(taken.includes('name') && taken.length > 50);
  const suspicious =
    /^arg(s|uments?)?$|command|(?<!de)script|hook|plugin|ffmpeg|filter_complex|shell|exec/i;
  assert.deepEqual(
    taken.filter((name) => suspicious.test(name)),
    [],
  );
  const settings = [...read('server/src/config/config.ts').matchAll(/^ {2}([A-Z_]{4,}):/gm)].map(
    ([, name]) => name!,
  );
  assert.ok(settings.includes('NAZAR_PORT'));
  assert.deepEqual(
    settings.filter((name) => suspicious.test(name)),
    [],
  );
});

test('C-501 FFmpeg opens only what a list of protocols allows, and none reaches another host', () => {
  const opening = filesWith(/FormatSource\.open\(/);
  assert.ok(opening.length >= 4);
  const allowed = opening.flatMap((file) => {
    const [, list] = /protocol_whitelist: '([^']*)'/.exec(source.get(file)!) ?? [];
    return (list ?? `${file} has none`).split(',');
  });
  // `rtsp,tcp` reaches the relay on loopback, which dials.
  const unexpected = allowed.filter((name) => !['none', 'file', 'rtsp', 'tcp'].includes(name));
  assert.deepEqual(unexpected, []);
});

test('C-305 a handler of a user’s objects passes the scope on', () => {
  const about = new Set<string>(
    matrix
      .filter(({ cells }) => /\b(?:own|vis)\b/.test(cells))
      .flatMap((row) => Object.keys(row.routes)),
  );
  const named = new Map<string, string>(
    Object.values(api).flatMap((module) =>
      Object.entries(module as Record<string, Route>).flatMap(([key, route]) =>
        atEachPath(route).map(({ method, path }) => [`${method} ${path}`, key] as const),
      ),
    ),
  );
  const handlers = [...source]
    .filter(([file]) =>
      /routes\.ts$|^app\/demo\.ts$|^live\/(?:face-detector|webrtc)\.ts$/.test(file),
    )
    .flatMap(([, text]) => text.split(/(?=serve\(\s*api,)/).slice(1));
  assert.ok(handlers.length >= listedRoutes.length);
  const blind = [...about].filter((name) => {
    const key = named.get(name)!;
    const mine = handlers.filter((text) =>
      new RegExp(`^serve\\(\\s*api,\\s*\\w+\\.${key},`).test(text),
    );
    return !mine.some((text) => text.includes('scope'));
  });
  assert.deepEqual(blind, []);
});

test('~APA-001, ~APA-003 every call lies under one base, what reads has no body, and bodies are JSON unless said', () => {
  const elsewhere = routes.filter(({ path }) => !path.startsWith('/secure-api/'));
  assert.deepEqual(elsewhere.map(({ method, path }) => `${method} ${path}`).toSorted(), [
    // As it stands in the documents (APC-014).
    'GET /camera/list/',
    'GET /healthz',
    'POST /token/refresh/',
  ]);
  for (const { method, path, body, consumes = ['json'] } of routes) {
    if (method === 'GET') assert.equal(body, undefined, path);
    assert.ok(!body || consumes.includes('json') || consumes.includes('multipart'), path);
  }
});

test('C-1002 no answer has a field for what recognition computes', () => {
  const fields = routes.flatMap(({ reply }) => fieldsOf(reply, 'output'));
  assert.ok(fields.includes('confidence'));
  assert.deepEqual(
    fields.filter((name) => /vector|embedding|template|descriptor|landmark/i.test(name)),
    // How many an erasure removed.
    fields.filter((name) => name === 'vectors'),
  );
});

test('C-1011, C-903 connections to elsewhere begin in few places, and no page names another host', () => {
  const dials =
    /(?<![.\w])(?:fetch|connect|connectTls|createConnection|createSocket)\(|openid-client|nodemailer|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/;
  assert.deepEqual(filesWith(dials), dialling);
  // C-904: one question to this network, when an administrator asks it.
  assert.deepEqual(filesWith(/from 'node:(?:dgram|http2)'/), ['media/worker/onvif/discovery.ts']);
  const pages = globSync('web/{src,public}/**/*.{ts,tsx,css,js}', { cwd: root })
    .filter((file) => !isTest(file))
    .concat('web/index.html');
  const elsewhere = pages.flatMap((file) =>
    [...read(file).matchAll(/['"(`](?:https?:)?\/\/([\w.-]+\.\w+)/g)].map(([, host]) => host!),
  );
  // The example beside the field for a camera's address.
  assert.deepEqual([...new Set(elsewhere)], ['192.168.1.20']);
});

/** Each by a policy of its own: cameras by media/sources/dial/dial.ts, the rest by what an administrator set. */
const dialling = [
  'accounts/sign-on/provider.ts', // the provider of sign-on that is configured
  'accounts/sign-on/sign-on.ts', // type only
  'accounts/sign-on/store.ts', // type only
  'db/connection.ts',
  'db/postmaster.ts', // its unix socket
  'lib/host.ts', // unix sockets of our own processes
  'mail/smtp.ts', // the mail server that is configured
  'media/sources/dial/dial.ts',
  'media/worker/onvif/agents.ts', // by media/sources/dial/dial.ts
  'media/worker/onvif/discovery.ts', // UDP; answers from addresses of cameras only
  'notifications/deliveries/post.ts', // receivers of webhooks, and push services of browsers
];
