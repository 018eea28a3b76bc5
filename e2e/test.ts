/** Playwright's `test`, reading along what browsers are answered and keep. */
import { test as base } from '@playwright/test';
import { readAlong } from './secrets.ts';

export const test = base.extend<object, { readonly readsAlong: void }>({
  readsAlong: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        readAlong(context);
        return context;
      };
      await use();
    },
    { scope: 'worker', auto: true },
  ],
});
