/** Players in browsers: hls.js and Shaka in Chromium, and what WebKit plays by itself. They play in time. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../e2e/installation.ts';
import { otherBrowsers } from '../../e2e/browsers/browsers.ts';
import { requirePeer, installPeers } from '../faces/peers/installed.ts';
import { openBrowser } from '../rig/glass.ts';
import { playInPage, seenInPage, type Plan } from './page.ts';
import type { Played, Player } from './player.ts';

const shaka = process.env['SHAKA_PATH'] ?? '';
const webkit = otherBrowsers.find(({ name }) => name === 'webkit')!;

/** WebKitGTK plays HLS by GStreamer, where it is set to. */
process.env['WEBKIT_GST_ENABLE_HLS_SUPPORT'] = '1';

const planOf = (address: string, by: Plan['by'], seconds: number): Plan => {
  return { address, by, withinMs: (seconds * 1.3 + 20) * 1_000, waits: by !== 'native' };
};

const hasSeen = (seen: Played | null): boolean => seen !== null;

/** A page of the same origin, and one in which audio worklets are allowed. */
const pageOf = (address: string): URL => {
  const page = new URL('/healthz', address);
  page.hostname = 'localhost';
  return page;
};

async function playInChromium(script: string, address: string, plan: Plan): Promise<Played> {
  await using browser = await openBrowser();
  const page = await browser.newPage({ bypassCSP: true });
  const at = pageOf(address);
  await page.goto(at.href);
  await page.addScriptTag({ path: script });
  const { pathname, search } = new URL(address);
  const seen = await page.evaluate(playInPage, { ...plan, address: at.origin + pathname + search });
  return seen!;
}

function hlsScript(): string {
  installPeers();
  return join(dirname(requirePeer.resolve('hls.js')), 'hls.min.js');
}

const versionIn = async (script: string, ask: string): Promise<string> => {
  await using browser = await openBrowser();
  const page = await browser.newPage();
  await page.addScriptTag({ path: script });
  return `${await page.evaluate<string>(ask)} in Chromium ${browser.version()}`;
};

export const browserPlayers: readonly Player[] = [
  {
    name: 'hls.js',
    missing: null,
    version: () => versionIn(hlsScript(), '`hls.js ${Hls.version}`'),
    play: (address, seconds) =>
      playInChromium(hlsScript(), address, planOf(address, 'hls.js', seconds)),
  },
  {
    name: 'Shaka',
    missing: existsSync(shaka) ? null : 'name shaka-player.compiled.js in SHAKA_PATH',
    version: () => versionIn(shaka, '`Shaka ${shaka.Player.version}`'),
    play: (address, seconds) => playInChromium(shaka, address, planOf(address, 'Shaka', seconds)),
  },
  {
    name: 'WebKit',
    missing: webkit.missing,
    version: async () => {
      await using browser = await webkit.start();
      return browser.name;
    },
    play: async (address, seconds) => {
      await using browser = await webkit.start();
      const at = pageOf(address);
      await browser.goto(at.href);
      const { pathname, search } = new URL(address);
      const plan = planOf(at.origin + pathname + search, 'native', seconds);
      await browser.evaluate(playInPage, plan);
      const ask = () => browser.evaluate(seenInPage);
      return (await until<Played | null>('it has played', ask, hasSeen, plan.withinMs * 2))!;
    },
  },
];
