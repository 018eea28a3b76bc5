/** Which browsers besides Chromium are on this machine, and how each is started. */
import { existsSync, globSync } from 'node:fs';
import { startFirefox, type Preferences } from './firefox.ts';
import type { Browser } from './webdriver.ts';
import { startWebKit } from './webkit.ts';

export interface OtherBrowser {
  readonly name: 'firefox' | 'webkit';
  /** What to install where it is missing; null: it is here. */
  readonly missing: string | null;
  start(preferences?: Preferences): Promise<Browser>;
}

const firefox = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';
const webkit = {
  driver: '/usr/bin/WebKitWebDriver',
  miniBrowser: globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1) ?? '',
  screen: '/usr/bin/Xvfb',
};

export const otherBrowsers: readonly OtherBrowser[] = [
  {
    name: 'firefox',
    missing: existsSync(firefox)
      ? null
      : 'no Firefox: apt-get install firefox-esr, or name one in FIREFOX_PATH',
    start: (preferences) => startFirefox(firefox, preferences),
  },
  {
    name: 'webkit',
    missing: Object.values(webkit).every((path) => existsSync(path))
      ? null
      : 'no WebKitGTK: apt-get install webkit2gtk-driver xvfb',
    start: () => startWebKit(webkit),
  },
];
