/** What opens above a page of the web client: where it is, how a reader opens it, and which source draws it. */
import type { Page } from '@playwright/test';
import english from '../../i18n/en/app.json' with { type: 'json' };
import type { Installation } from '../installation.ts';

export type Words = typeof english;

/** What was made for the spec, with what is under test. */
export interface World {
  readonly nazar: Installation;
  readonly cameraId: string;
  readonly userId: string;
  readonly layoutId: string;
}

export interface Overlay {
  readonly name: string;
  /** The file below `web/src` that draws it; with `#2` the second window of that file. */
  readonly source: string;
  readonly path: (world: World) => string;
  /** What the page is answered from then on, before it is opened. */
  readonly given?: (page: Page, world: World) => Promise<void>;
  /** Absent: the address alone opens it. */
  readonly act?: (page: Page, words: Words) => Promise<void>;
  /** Absent: a dialog, with a title and a body that scrolls. */
  readonly kind?: 'menu' | 'calendar' | 'drawer' | 'panel';
  /** How many are open then, this one and those below it; absent: 1. */
  readonly depth?: number;
  /** Before anyone signs in. */
  readonly isSignedOut?: boolean;
  /** Where it is to be had; absent: on both. */
  readonly only?: 'phone' | 'desk';
  /** The reader does not open it: what has the focus afterwards depends on what they did. */
  readonly comesByItself?: boolean;
}

/** `features/cameras/` and `add#2`: the second window of `features/cameras/add.tsx`. */
export const sourceBelow =
  (folder: string) =>
  (file: string): string =>
    `${folder}${file.replace(/(#\d)?$/, '.tsx$1')}`;

export const said = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');

/** What is under a dialog is hidden from queries by role. */
export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).last().click();

/** What a button of this label opens. */
export const button =
  (label: (words: Words) => string) =>
  (page: Page, words: Words): Promise<void> =>
    press(page, label(words));

export const item = async (page: Page, name: string): Promise<void> => {
  const either = page.locator('[role=menuitem], [role=menuitemcheckbox]');
  await either.filter({ hasText: name }).last().click();
};

export async function answer(page: Page, path: string, json: object | null): Promise<void> {
  await page.route(`**/secure-api/${path}`, (route) => route.fulfill({ json }));
}
