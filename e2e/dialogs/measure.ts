/// <reference lib="dom" />
/** What is wrong with the uppermost dialog or menu of a page, in words. */
// oxlint-disable unicorn/consistent-function-scoping -- what a page evaluates knows nothing outside of itself
import type { Page } from '@playwright/test';

/** What of the open dialog cannot be seen or pressed. */
export const hiddenParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
    if (!dialog) return ['no dialog is open'];
    const isInSight = (element: Element): boolean => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return isInside && element.contains(at);
    };
    const nameOf = (element: Element): string => element.textContent.trim();
    const hidden: string[] = [];
    const body = dialog.querySelector('[data-dialog-body]')!;
    if (body.scrollWidth > body.clientWidth) hidden.push('scrolls sideways');
    const { overflowY } = getComputedStyle(body);
    if (body.scrollHeight > body.clientHeight && overflowY !== 'auto') hidden.push('is cut off');
    const footer = [...dialog.querySelectorAll('[data-actions] button')];
    for (const scrollTop of [0, body.scrollHeight / 2, body.scrollHeight]) {
      body.scrollTop = scrollTop;
      const title = dialog.querySelector('h2')!;
      const outside = [title, ...footer].filter((element) => !isInSight(element));
      hidden.push(...outside.map((element) => `${nameOf(element)} at ${scrollTop}`));
    }
    const isBroken = (button: Element): boolean => {
      const words = [...button.childNodes].find((node) => node instanceof Text);
      if (!words) return false;
      const range = document.createRange();
      range.selectNodeContents(words);
      return range.getClientRects().length > 1;
    };
    const broken = footer.filter(isBroken);
    hidden.push(...broken.map((button) => `${nameOf(button)} breaks into lines`));
    // Where a form is sent is a footer.
    const sends = [...dialog.querySelectorAll('button[type=submit]')];
    const elsewhere = sends.filter((button) => button.closest('[data-actions]') === null);
    return [...hidden, ...elsewhere.map((button) => `${nameOf(button)} is in no footer`)];
  });

/** Entries of the open menu, days of the open calendar, links of the drawer: those that are outside of the window. */
export const outsideParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const open = [...document.querySelectorAll('[role=menu], [role=dialog]')].at(-1);
    if (!open) return ['nothing is open'];
    const parts = [...open.querySelectorAll('[role^=menuitem], td button, a, button')];
    const isOutside = (part: Element): boolean => {
      const { top, bottom, left, right } = part.getBoundingClientRect();
      return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
    };
    const outside = parts.filter(isOutside).map((part) => `${part.textContent.trim()} is outside`);
    return parts.length === 0 ? ['it is empty'] : outside;
  });

/** Where the focus is, if that is not where a reader of the open overlay begins. */
export const focusFault = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const open = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')];
    const overlay = open.at(-1);
    const focused = document.activeElement;
    const name = (element: Element | null): string =>
      element === null ? 'nothing' : element.outerHTML.slice(0, 120);
    if (!overlay?.contains(focused)) return `the focus is outside: ${name(focused)}`;
    if (overlay.role === 'menu') return null;
    const isAsked = overlay.role === 'alertdialog';
    const fields = [
      ...overlay.querySelectorAll<HTMLInputElement>(
        'form :is(input, select, textarea):enabled:not([readonly], [type=radio]:not(:checked))',
      ),
      ...overlay.querySelectorAll('input[type=search]'),
    ];
    const first = isAsked
      ? overlay.querySelector('[data-actions] button')
      : fields.find((field) => field.checkVisibility());
    if (!first || first === focused) return null;
    return `the focus is not in ${name(first)}, but in ${name(focused)}`;
  });

/**
 * What the Tab key does not reach in the open dialog, from where the focus is and around, and where it goes astray.
 * An entry of a menu is reached by arrows. In the end the focus is where it was.
 */
export async function tabFaults(page: Page): Promise<string[]> {
  const start = await page.evaluateHandle(() => document.activeElement);
  try {
    return await tabbingFaults(page);
  } finally {
    await start.evaluate((element) => (element as HTMLElement | null)?.focus());
  }
}

async function tabbingFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const open = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1)!;
    const all = open.querySelectorAll<HTMLElement>(
      'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]',
    );
    const isStop = (one: HTMLElement): boolean =>
      // A row of tabs hands the focus on to the one that is chosen.
      one.tabIndex >= 0 && one.role !== 'tablist' && one.checkVisibility();
    window.notTabbed = new Set([...all].filter(isStop));
    return window.notTabbed.size;
  });
  // What scrolls is a stop of its own where nothing in it is one.
  for (let presses = 0; presses < count + 4; presses++) {
    await page.keyboard.press('Tab');
    const { astray, left } = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const stops = window.notTabbed!;
      stops.delete(focused);
      // The Tab key stops at one of a group of radio buttons.
      if (focused instanceof HTMLInputElement && focused.type === 'radio') {
        for (const one of document.getElementsByName(focused.name)) stops.delete(one);
      }
      const isAstray =
        focused.tabIndex < 0 && focused.matches('[role=dialog], [role=alertdialog], body');
      return { astray: isAstray ? focused.outerHTML.slice(0, 120) : null, left: stops.size };
    });
    if (astray !== null) return [`Tab goes to ${astray}`];
    if (left === 0) return [];
  }
  const left = await page.evaluate(() =>
    [...(window.notTabbed ?? [])].map((one) => one.outerHTML.slice(0, 120)),
  );
  return left.map((one) => `Tab does not reach ${one}`);
}

declare global {
  interface Window {
    /** What of the open dialog the Tab key has not come to. */
    notTabbed?: Set<HTMLElement>;
    /** What a reader pressed last: what opened the overlay that has the focus now. */
    lastPressed?: Element | null;
  }
}

/** From now on each page remembers what is pressed outside of overlays; an entry of a menu stands for its button. */
export async function watchPresses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener(
      'pointerdown',
      ({ target }) => {
        const pressed = (target as Element).closest('button, a, input, [role^=menuitem]');
        const menu = pressed?.closest('[role=menu]')?.getAttribute('aria-labelledby');
        window.lastPressed = menu ? document.getElementById(menu) : (pressed ?? null);
      },
      { capture: true },
    );
  });
}

/** Where the focus is once the overlay is closed, if that is not what opened it. */
export const returnFault = (page: Page, opener: 'pressed' | 'any'): Promise<string | null> =>
  page.evaluate((expected) => {
    const focused = document.activeElement;
    const name = (element: Element | null): string =>
      element === null ? 'nothing' : element.outerHTML.slice(0, 120);
    if (focused === null || focused === document.body) return 'the focus is nowhere';
    const { lastPressed } = window;
    if (expected === 'any' || !lastPressed?.isConnected || !lastPressed.checkVisibility())
      return null;
    return lastPressed === focused
      ? null
      : `the focus is not back at ${name(lastPressed)}, but in ${name(focused)}`;
  }, opener);
