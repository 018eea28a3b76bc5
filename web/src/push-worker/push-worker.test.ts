/** The service worker without a browser: what is shown of a message, and what becomes of a press. */
import { pushRoutes, type PushMessage } from '@nazar/contract/push.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { press } from './pressing.ts';
import type { OpenWindow, WorkerNotificationOptions, WorkerScope } from './scope.ts';
import { show, type Pressable } from './showing.ts';

const origin = 'https://nazar.example.org';
const ticket = 'a'.repeat(43);
const aMessage = (over: Partial<PushMessage> = {}): PushMessage => ({
  tag: 'one',
  title: 'An unknown person was seen',
  body: '',
  language: 'ru',
  at: '2026-03-04T05:06:07.000Z',
  path: '/alerts?alert=1',
  level: 'warning',
  is_over: false,
  actions: [{ action: 'take', title: 'Назначить мне' }],
  has_picture: false,
  ticket,
  ...over,
});

type Shown = WorkerNotificationOptions & { readonly title: string };
let shown: Shown[];
let opened: string[];
let windows: OpenWindow[];
const asked = vi.fn<typeof fetch>();

const scope: WorkerScope = {
  registration: {
    showNotification: async (title, options) => void shown.push({ title, ...options }),
  },
  clients: {
    matchAll: async () => windows,
    openWindow: async (url) => void opened.push(url),
  },
  location: { origin },
  addEventListener: () => undefined,
};

beforeEach(() => {
  shown = [];
  opened = [];
  windows = [];
  asked.mockReset();
  vi.stubGlobal('fetch', asked);
});

const arrived = (message: PushMessage | string) =>
  show(scope, {
    data: { text: () => (typeof message === 'string' ? message : JSON.stringify(message)) },
    waitUntil: () => undefined,
  });

async function pressed(data: Pressable, action = ''): Promise<number> {
  const close = vi.fn<() => void>();
  const notification = { tag: 'one', data, close };
  await press(scope, { notification, action, waitUntil: () => undefined });
  return close.mock.calls.length;
}
const pressable = (over: Partial<Pressable> = {}): Pressable => ({
  path: '/alerts?alert=1',
  language: 'ru',
  ticket,
  ...over,
});

test('a message is shown in its language, under its tag, with what can be done; a critical one stays', async () => {
  await arrived(aMessage());
  await arrived(aMessage({ tag: 'two', level: 'critical' }));
  await arrived(aMessage({ tag: 'two', level: 'critical', is_over: true, actions: [] }));
  expect(shown.map(({ tag, requireInteraction: stays }) => [tag, stays])).toEqual([
    ['one', false],
    ['two', true],
    ['two', false],
  ]);
  expect(shown[0]).toMatchObject({
    title: 'An unknown person was seen',
    lang: 'ru',
    renotify: true,
    timestamp: Date.parse('2026-03-04T05:06:07.000Z'),
    actions: [{ action: 'take', title: 'Назначить мне' }],
    data: pressable(),
  });
  expect(shown[0]!.image).toBeUndefined();
  expect(asked).not.toHaveBeenCalled();
});

test('what cannot be read is shown all the same: a push that shows nothing costs the permission', async () => {
  await arrived('{');
  await arrived('{}');
  await show(scope, { data: null, waitUntil: () => undefined });
  expect(shown.map(({ title }) => title)).toEqual(['Nazar', 'Nazar', 'Nazar']);
});

const pictured = (bytes: number, type = 'image/jpeg', status = 200) =>
  new Response(new Uint8Array(bytes).fill(255), { status, headers: { 'content-type': type } });

test('a picture is fetched by the ticket, in no address, and shown as it came', async () => {
  asked.mockResolvedValue(pictured(20_000));
  await arrived(aMessage({ has_picture: true }));
  const [address, request] = asked.mock.calls[0]!;
  expect(address).toBe(pushRoutes.picture.path);
  expect(request).toMatchObject({ method: 'POST', credentials: 'omit', redirect: 'error' });
  expect(request!.body).toBe(JSON.stringify({ ticket }));
  expect(shown[0]!.image).toMatch(/^data:image\/jpeg;base64,\/{20}/);
});

test('a message whose picture fails, is too large or is none is shown without', async () => {
  for (const answer of [
    pictured(10, 'text/html'),
    pictured(1024 * 1024 + 1),
    pictured(9, 'image/jpeg', 410),
  ]) {
    asked.mockResolvedValueOnce(answer);
    await arrived(aMessage({ has_picture: true }));
  }
  asked.mockRejectedValueOnce(new TypeError('no network'));
  await arrived(aMessage({ has_picture: true }));
  expect(shown).toHaveLength(4);
  expect(shown.every(({ image }) => image === undefined)).toBe(true);
});

function aWindow(url: string) {
  const focus = vi.fn<() => void>();
  const navigate = vi.fn<(to: string) => void>();
  const window: OpenWindow = {
    url,
    focus: async () => (focus(), window),
    navigate: async (to) => (navigate(to), window),
  };
  return { window, focus, navigate };
}

test('a press opens the page, in a window of ours if there is one', async () => {
  expect(await pressed(pressable())).toBe(1);
  expect(opened).toEqual([`${origin}/alerts?alert=1`]);
  const [other, there] = [aWindow(`${origin}/cameras`), aWindow(`${origin}/alerts?alert=1`)];
  windows = [other.window, there.window];
  await pressed(pressable());
  expect(there.focus).toHaveBeenCalledTimes(1);
  expect(there.navigate).not.toHaveBeenCalled();
  expect(other.focus).not.toHaveBeenCalled();
  await pressed(pressable({ path: '/notifications' }));
  expect(other.navigate).toHaveBeenCalledWith(`${origin}/notifications`);
  expect(opened).toHaveLength(1);
});

test('an action is sent with the ticket; done, it shows nothing and opens nothing', async () => {
  asked.mockResolvedValue(new Response(null, { status: 204 }));
  await pressed(pressable(), 'take');
  const [address, request] = asked.mock.calls[0]!;
  expect(address).toBe(pushRoutes.act.path);
  expect(request!.body).toBe(JSON.stringify({ ticket, action: 'take' }));
  expect(request!.headers).toMatchObject({ 'accept-language': 'ru' });
  expect([shown, opened]).toEqual([[], []]);
});

test('an action that is refused says why in its place, and what reached no server says so', async () => {
  asked.mockResolvedValueOnce(Response.json({ detail: 'Ayla was first.' }, { status: 409 }));
  await pressed(pressable(), 'take');
  asked.mockRejectedValueOnce(new TypeError('no network'));
  await pressed(pressable(), 'resolve');
  asked.mockResolvedValueOnce(new Response('<html>', { status: 502 }));
  await pressed(pressable({ language: 'en' }), 'resolve');
  expect(shown.map(({ title }) => title)).toEqual([
    'Ayla was first.',
    expect.stringMatching(/^Не удалось связаться с Nazar/),
    expect.stringMatching(/^Nazar wasn't reached/),
  ]);
  for (const { tag, data, actions } of shown) {
    expect([tag, actions]).toEqual(['one', undefined]);
    expect((data as Pressable).ticket).toBeNull();
  }
});
