/**
 * Nazar behind a reverse proxy that loses its server: three tabs of one browser are reloaded meanwhile, and all of
 * them are signed in afterwards (R-18, C-209).
 */
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { administrator, Installation, kill } from './installation.ts';
import { ReverseProxy, type Fault } from './reverse-proxy.ts';
import { test } from './test.ts';

let nazar: Installation;
let proxy: ReverseProxy;
let context: BrowserContext;
let tabs: readonly Page[];

/** A server is back within seconds, and the longest pause between two tries is 15 s. */
const backMs = 60_000;

/** The documents and their scripts come through; what the page asks then does not. */
const isApi = (path: string): boolean => /^\/(secure-api|token)\//.test(path);
const refresh = '/token/refresh/';
const isSetup = (path: string): boolean => path === '/secure-api/setup/';

const inEach = (work: (tab: Page) => Promise<unknown>): Promise<unknown> =>
  Promise.all(tabs.map(work));
const reloadAll = (): Promise<unknown> => inEach((tab) => tab.reload());
/** All are opened anew with an access token that is none any more, and no page of before asks with it. */
async function reloadAllExpired(): Promise<void> {
  // None of them runs anything of ours while the token is put in its place.
  await inEach((tab) => tab.goto(`${proxy.origin}/robots.txt`));
  await tabs[0]!.evaluate(() => localStorage.setItem('auth-token', 'nza_expired'));
  await inEach((tab) => tab.goto(proxy.origin));
}
const heading = (tab: Page) => tab.getByRole('heading', { level: 1 });
const areIn = (): Promise<unknown> =>
  inEach((tab) => expect(heading(tab)).toHaveText('Dashboard', { timeout: backMs }));
const say = (title: string | RegExp): Promise<unknown> =>
  inEach((tab) => expect(heading(tab)).toHaveText(title));
const tokens = (): Promise<(string | null)[]> =>
  tabs[0]!.evaluate(() => ['auth-token', 'refresh-token'].map((key) => localStorage.getItem(key)));

test.beforeAll(async ({ browser }) => {
  nazar = await Installation.ready();
  proxy = await ReverseProxy.start(nazar.port);
  context = await browser.newContext();
  tabs = [await context.newPage(), await context.newPage(), await context.newPage()];
  const [first] = tabs as [Page];
  await first.goto(`${proxy.origin}/login`);
  await first.getByLabel('Email').fill(administrator.email);
  await first.locator('input[name=password]').fill(administrator.password);
  await first.getByRole('button', { name: 'Sign in' }).click();
  await expect(heading(first)).toHaveText('Dashboard');
  await inEach((tab) => tab.goto(proxy.origin));
  await areIn();
});
test.beforeEach(() => {
  proxy.faultAt = () => null;
});
test.afterAll(async () => {
  await context.close();
  await proxy[Symbol.asyncDispose]();
  await nazar.remove();
});

const faults: readonly { what: string; fault: Fault; title: string }[] = [
  { what: 'answers 502', fault: { kind: 'page', status: 502 }, title: "Nazar can't be reached" },
  { what: 'answers 504', fault: { kind: 'page', status: 504 }, title: "Nazar can't be reached" },
  {
    what: 'answers 500',
    fault: { kind: 'page', status: 500 },
    title: "Nazar can't open right now",
  },
  {
    what: 'answers 429',
    fault: { kind: 'page', status: 429 },
    title: "Nazar can't open right now",
  },
  { what: 'cuts answers off', fault: { kind: 'cut' }, title: "Nazar can't be reached" },
];

for (const { what, fault, title } of faults) {
  test(`R-18, ~C-209 tabs that are reloaded while the proxy ${what} come back by themselves`, async () => {
    const before = await tokens();
    proxy.faultAt = (path) => (isApi(path) ? fault : null);
    await reloadAll();
    await say(title);
    expect(await tokens()).toEqual(before);
    proxy.faultAt = () => null;
    await areIn();
    expect(await tokens()).toEqual(before);
  });
}

test('~SES-021 tabs that are reloaded while the answer still comes stay signed in', async () => {
  proxy.faultAt = (path) => (path.endsWith('/users/me/') ? { kind: 'stall' } : null);
  const before = await tokens();
  for (let round = 0; round < 3; round += 1) {
    const from = proxy.asked.length;
    await inEach((tab) => tab.reload({ waitUntil: 'commit' }));
    await expect
      .poll(() => proxy.asked.slice(from).filter((path) => path.endsWith('/users/me/')).length)
      .toBe(tabs.length);
  }
  proxy.faultAt = () => null;
  await reloadAll();
  await areIn();
  expect(await tokens()).toEqual(before);
});

test('~NSH-003, ~SES-017 new tokens that the proxy loses are got all the same, in three tabs at once', async () => {
  const losses: Fault[] = [{ kind: 'cut' }, { kind: 'page', status: 502 }];
  const from = proxy.asked.length;
  proxy.faultAt = (path) => (path === refresh ? (losses.shift() ?? null) : null);
  await reloadAllExpired();
  await areIn();
  // The server was asked by one tab, for all of them.
  expect(proxy.asked.slice(from).filter((path) => path === refresh)).toHaveLength(3);
});

test('~SES-017 tokens that cannot be renewed for now are kept, in three tabs at once', async () => {
  proxy.faultAt = (path) => (path === refresh ? { kind: 'page', status: 429 } : null);
  await reloadAllExpired();
  await say("Nazar can't open right now");
  expect((await tokens())[1]).toMatch(/^nzr_/);
  proxy.faultAt = () => null;
  await areIn();
});

test('R-18, C-209 tabs that are reloaded while the server is killed are signed in when it is back', async () => {
  test.setTimeout(120_000);
  const before = await tokens();
  const held = Promise.withResolvers<void>();
  const from = proxy.asked.length;
  proxy.faultAt = (path) => (isApi(path) ? { kind: 'hold', until: held.promise } : null);
  await reloadAll();
  // Chromium sends one of three equal requests at a time.
  await expect.poll(() => proxy.asked.slice(from).filter(isSetup)).not.toEqual([]);
  const server = nazar.serverPid;
  kill(server);
  held.resolve();
  await say("Nazar can't be reached");
  await areIn();
  expect(nazar.serverPid).not.toBe(server);
  expect(await tokens()).toEqual(before);
});
