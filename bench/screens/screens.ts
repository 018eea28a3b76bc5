/** The screens that are read: all that say something of a camera, and one that says nothing of any. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { administrator } from '../../e2e/installation.ts';
import { signInOn } from '../../e2e/people.ts';
import type { Product } from '../rig/product.ts';
import { preparePage } from './read.ts';
import type { Name } from './trouble.ts';

export type Screens = ReadonlyMap<string, Page>;

/** Sees cameras as a table: how they are shown is kept with the account. */
const tableReader = 'table@example.org';

async function contextOf(browser: Browser, product: Product, email?: string) {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-US' });
  const entrance = await context.newPage();
  await signInOn(entrance, product.nazar, email);
  await entrance.close();
  return context;
}

async function addTableReader({ nazar }: Product): Promise<void> {
  const { password } = administrator;
  const words = ['create', '--email', tableReader, '--password', password, '--role', 'admin'];
  nazar.admin([...words, '--first-name', 'Table', '--last-name', 'Reader']);
  const { path, method } = accountRoutes.updatePreferences;
  const access = await nazar.signIn(tableReader);
  const reply = await nazar.call(method, path, { access, body: { cameras_view: 'list' } });
  if (!reply.ok) throw new Error(`preferences: ${reply.status}`);
}

/** All of them stream: nothing is paused because it is behind another. */
async function open(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 1000 });
  await preparePage(page);
  await page.goto(address);
  return page;
}

export async function openScreens(
  browser: Browser,
  product: Product,
  ids: ReadonlyMap<Name, string>,
): Promise<Screens> {
  await addTableReader(product);
  const { origin } = product.nazar;
  const ours = await contextOf(browser, product);
  const theirs = await contextOf(browser, product, tableReader);
  const id = (name: Name): string => ids.get(name)!;
  const addresses: readonly (readonly [screen: string, path: string, context?: BrowserContext])[] =
    [
      ['cards', '/cameras'],
      ['table', '/cameras', theirs],
      ['live view', `/cameras/${id('Frozen')}`],
      ['slow live view', `/cameras/${id('Steady')}`],
      ['wall', '/cameras?view=wall'],
      ['recordings', `/recordings/${id('Unplugged')}`],
      ['Dashboard', '/'],
      ['people', '/face-database'],
    ];
  const screens = new Map<string, Page>();
  for (const [screen, path, context = ours] of addresses)
    screens.set(screen, await open(context, origin + path));
  return screens;
}
