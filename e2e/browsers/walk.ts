/// <reference lib="dom" />
/** Every page of the product, found by following its links, in a browser that is signed in. */
import type { Browser } from './webdriver.ts';

/** Firefox makes no window narrower. */
const widths = [500, 1280] as const;
/** Far more pages than there are: a link that makes up addresses would be followed for ever. */
const most = 60;

export interface Walked {
  readonly paths: readonly string[];
  readonly wrong: readonly string[];
}

/** Begins with the Dashboard and with what the account's menu leads to, whose links are not in the page. */
export async function walk(
  page: Browser,
  origin: string,
  shot: (name: string) => Promise<void>,
): Promise<Walked> {
  const paths = ['/', '/profile', '/security', '/settings'];
  const wrong: string[] = [];
  for (const path of paths) {
    if (paths.length > most) return { paths, wrong: [...wrong, `more than ${most} pages`] };
    await page.goto(origin + path);
    await page.see({ css: 'h1, h2' });
    await page.expect('everything has arrived', skeletons, (count) => count === 0);
    const at = await page.evaluate(() => location.pathname);
    if (at !== path) wrong.push(`${path} leads to ${at}`);
    for (const width of widths) {
      await page.resize(width, 900);
      await page.expect('the window has its width', drawnWidth, (drawn) => drawn === width);
      const overflow = await page.evaluate(sidewaysPx);
      if (overflow > 0) wrong.push(`${path} at ${width}: scrolls ${overflow} px sideways`);
      await shot(`page${path.replaceAll('/', '-')}-${width}`);
    }
    const found = await page.evaluate(links);
    paths.push(...new Set(found.filter((link) => !paths.includes(link))));
  }
  return { paths, wrong };
}

const skeletons = (): number =>
  document.querySelectorAll('[aria-busy=true], output .animate-pulse').length;

/** The width by which the page is laid out; WebKitGTK answers a resize before the page is informed. */
const drawnWidth = async (): Promise<number> => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return innerWidth;
};

const sidewaysPx = (): number =>
  document.documentElement.scrollWidth - document.documentElement.clientWidth;

/** The pages of ours that the open one links to. */
const links = (): string[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
    .map(({ href }) => new URL(href))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname }) => pathname);
