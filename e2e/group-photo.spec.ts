/** Enrolment by a photo of several people: one press says who is meant; and by several files, one of them bad. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Face } from '@nazar/contract/faces.ts';
import { Installation, root } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const group = join(root, 'node_modules/@vladmandic/face-api/demo/sample1.jpg');

let nazar: Installation;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  nazar = await Installation.ready();
});
test.afterAll(() => nazar?.remove());

async function openForm(
  page: Page,
  photos: Parameters<Locator['setInputFiles']>[0] = group,
): Promise<void> {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/face-database`);
  await page
    .locator('main button', { hasText: /Add Face|Добавить/ })
    .first()
    .click();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(photos);
  await page.getByRole('radio').first().waitFor({ state: 'attached', timeout: 60_000 });
}

for (const [language, theme] of [
  ['en', 'light'],
  ['ru', 'dark'],
] as const) {
  test(`a photo of several people asks who is meant, on a phone and on a desk: ${language}, ${theme}`, async ({
    browser,
  }) => {
    test.setTimeout(180_000);
    const context = await browser.newContext();
    await choose(context, language, theme);
    const page = await context.newPage();
    await openForm(page);
    await page.getByRole('radio').first().scrollIntoViewIfNeeded();
    const wrong: string[] = [];
    await look(page, `group-photo-${language}-${theme}`, wrong);
    expect(wrong).toEqual([]);
    await context.close();
  });
}

/** A photo, an empty file with a long name, and the photo again. */
const buffer = readFileSync(group);
const files = [
  { name: 'a.jpg', mimeType: 'image/jpeg', buffer },
  {
    name: `IMG_20260127_Gözəl şəkil, ön qapıda, ${'axşam '.repeat(8)}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.alloc(0),
  },
  { name: 'c.jpg', mimeType: 'image/jpeg', buffer },
];

for (const [language, theme] of [
  ['en', 'light'],
  ['ru', 'dark'],
] as const) {
  test(`of three files the one that is no photo is named, the others are saved: ${language}, ${theme}`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const context = await browser.newContext();
    await choose(context, language, theme);
    const page = await context.newPage();
    await openForm(page, files);
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=first_name]').fill('Two');
    await dialog.locator('input[name=last_name]').fill(`Files ${language}`);
    await dialog.locator('select').selectOption({ index: 1 });
    await dialog.locator('button[type=submit]').click();
    await expect(dialog.locator('bdi')).toHaveText(files[1]!.name, { timeout: 120_000 });
    await expect(dialog.locator('img')).toHaveCount(2);
    const wrong: string[] = [];
    await look(page, `refused-photo-${language}-${theme}`, wrong);
    expect(wrong).toEqual([]);
    const access = await nazar.signIn();
    const { results } = await nazar.get<{ results: Face[] }>('/secure-api/faces/', access);
    const face = results.find(({ last_name }) => last_name === `Files ${language}`);
    expect(face?.images.length).toBe(2);
    expect(JSON.stringify(face)).not.toContain('IMG_20260127');
    await context.close();
  });
}

test('~FACE-029 the face that was chosen by keyboard becomes the person`s', async ({ page }) => {
  test.setTimeout(180_000);
  await openForm(page);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText("There's more than one face in this picture.")).toBeVisible();
  const faces = dialog.getByRole('radio');
  const usable = dialog.getByText(/^Can be used for recognition/);
  await faces.first().focus();
  await page.keyboard.press('Space');
  for (let i = 1; i < (await faces.count()); i += 1) {
    const isUsable = await usable.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (isUsable) break;
    await page.keyboard.press('ArrowRight');
  }
  await expect(usable).toBeVisible();
  await dialog.locator('input[name=first_name]').fill('Aylin');
  await dialog.locator('input[name=last_name]').fill('Demir');
  await dialog.getByLabel('Category').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Add Face' }).click();
  await expect(dialog).toBeHidden({ timeout: 60_000 });
  const access = await nazar.signIn();
  const { results } = await nazar.get<{ results: Face[] }>('/secure-api/faces/', access);
  const aylin = results.find(({ first_name }) => first_name === 'Aylin');
  expect(aylin?.usable_images).toBe(1);
});
