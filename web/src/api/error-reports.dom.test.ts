import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { systemLogRoutes, type BrowserError } from '@nazar/contract/system-logs.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { go } from '#lib/address.ts';
import { answer, refusal, type Seen } from '#testing/server.ts';
import { forgetReports } from './error-reports.ts';
import { noAnswer, Problem } from './problem.ts';
import { ask, makeQueryClient } from './query.ts';
import { reportError, startErrorReports } from './report-error.ts';

const id = '01930f5e-0000-7000-8000-000000000001';
let reports: Seen[] = [];
const bodies = (): BrowserError[] => reports.map(({ body }) => body as BrowserError);

beforeEach(() => {
  forgetReports();
  localStorage.setItem('auth-token', 'good');
  reports = answer(systemLogRoutes.reportBrowserError, { id });
  go('/face-database?search=Aylin', { replace: true });
});
afterEach(() => {
  vi.useRealTimers();
  go('/', { replace: true });
});

/** An error with this stack, whatever the browser of the test makes of one. */
function anError(message: string, at = 'at draw (/assets/app.js?v=3&q=Aylin:10:42)'): TypeError {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    ${at}`;
  return error;
}

test('CFL-042 an uncaught error is reported to the server with type, message, place and path, and is not printed', async () => {
  const added = vi.spyOn(globalThis, 'addEventListener');
  startErrorReports();
  const listeners = new Map(added.mock.calls.map(([name, listener]) => [name, listener]));
  const dispatch = (event: Event): void => {
    (listeners.get(event.type) as (event: Event) => void)(event);
    expect(event.defaultPrevented).toBe(true);
  };
  for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener);
  const error = anError('x is undefined');
  dispatch(new ErrorEvent('error', { error, cancelable: true }));
  const rejected = new Event('unhandledrejection', { cancelable: true });
  dispatch(Object.assign(rejected, { reason: 'GET /a?search=Aylin failed' }));
  await vi.waitFor(() => expect(reports).toHaveLength(2));
  expect(bodies()).toEqual([
    {
      kind: 'exception',
      message: 'TypeError: x is undefined',
      stack: 'at draw (/assets/app.js:10:42)',
      page: '/face-database',
    },
    { kind: 'rejection', message: 'string: GET /a failed', stack: '', page: '/face-database' },
  ]);
  expect(JSON.stringify(bodies())).not.toContain('Aylin');
});

test('C-604 no password of an address is reported, wherever an error repeats it', async () => {
  for (const password of ['1234/canary', 'canary#1', 'a?canary', 'ca nary', '12#canary']) {
    const address = `rtsp://admin:${password}@192.168.1.9/s`;
    await reportError(
      'exception',
      anError(`Failed to parse URL from ${address}`, `at x (${address})`),
    );
    await reportError('rejection', `http://192.168.1.9/a.cgi/user=a&loginpas=canary failed`);
    forgetReports();
  }
  expect(reports).toHaveLength(10);
  expect(JSON.stringify(bodies())).not.toMatch(/canary|nary@|1234/);
  expect(bodies()[0]?.message).toBe('TypeError: Failed to parse URL from rtsp://192.168.1.9/s');
});

test('CFL-042 a load error is reported when it is a bug or the server failed, by the route and without what was asked', async () => {
  const client = makeQueryClient();
  const load = () =>
    client
      .fetchQuery(ask('cameras', cameraRoutes.list, { query: { search: 'Aylin' } }))
      .catch(() => undefined);
  answer(cameraRoutes.list, refusal(500, 'internal', 'Etwas ging schief.'));
  await load();
  await vi.waitFor(() => expect(reports).toHaveLength(1));
  expect(bodies()[0]).toMatchObject({
    kind: 'load',
    message: `Problem at ${cameraRoutes.list.path}: HTTP 500 internal`,
  });
  expect(JSON.stringify(bodies())).not.toContain('Aylin');
});

test('CFL-042 refusals, silence and cancelled calls are no errors, and without a session none is reported', async () => {
  const expected = [
    ...[400, 401, 403, 404, 409, 429, 502, 503, 504].map((status) => new Problem(status, '', '')),
    noAnswer(null),
    new DOMException('', 'AbortError'),
  ];
  for (const error of expected) expect(await reportError('load', error)).toBeNull();
  localStorage.removeItem('auth-token');
  expect(await reportError('load', anError('signed out'))).toBeNull();
  expect(reports).toEqual([]);
});

test('CFL-042 equal errors are one report, and five differing ones a minute are reported', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(await reportError('render', anError('0'))).toBe(id);
  expect(await reportError('exception', anError('0'))).toBe(id);
  expect(reports).toHaveLength(1);
  for (let n = 1; n < 8; n += 1) await reportError('exception', anError(String(n)));
  expect(reports).toHaveLength(5);
  expect(await reportError('exception', anError('7'))).toBeNull();
  vi.setSystemTime(Date.now() + 60_000);
  expect(await reportError('exception', anError('7'))).toBe(id);
});

test('CFL-042 a report that fails leads to no other report', async () => {
  reports = answer(systemLogRoutes.reportBrowserError, refusal(500, 'internal', ''));
  expect(await reportError('exception', anError('a'))).toBeNull();
  expect(await reportError('exception', anError('a'))).toBeNull();
  expect(reports).toHaveLength(1);
});

test('CFL-042 a report keeps within what the server takes, however long the error is', async () => {
  await reportError('exception', anError('m'.repeat(9_000), `at ${'a/'.repeat(9_000)}`));
  await reportError('exception', new Error(''));
  const [long, empty] = bodies();
  expect([long!.message.length, long!.stack.length]).toEqual([500, 3000]);
  expect(empty!.message).toBe('Error');
});
