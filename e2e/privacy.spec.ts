/** What a person may ask of the operator who keeps their face: what is kept, all of it, and that it goes for good. */
import { expect, type BrowserContext } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import type { FaceCategory } from '@nazar/contract/faces.ts';
import { privacyRoutes, type UnknownMatches } from '@nazar/contract/privacy.ts';
import { administrator, Installation } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const pictures = process.env['NAZAR_PICTURES'];
let nazar: Installation;
let photo: Buffer;

test.beforeAll(async () => {
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const { results } = await nazar.get<{ results: FaceCategory[] }>(
    '/secure-api/faces/categories/',
    access,
  );
  const { default: sharp } = await import('sharp');
  const background = { r: 90, g: 120, b: 160 };
  photo = await sharp({ create: { width: 320, height: 320, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('first_name', 'Ayla');
  form.set('last_name', 'Example');
  form.set('category', results[0]!.id);
  form.append('uploaded_images', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'a.png');
  await nazar.post('/secure-api/faces/', access, form);
});
test.afterAll(() => nazar.remove());

const match = {
  visits: 12,
  first_at: '2026-02-27T08:00:00.000Z',
  last_at: '2026-03-14T17:30:00.000Z',
  cameras: ['Main entrance', 'Loading dock behind the second warehouse'],
  pictures: [1, 2, 3, 4].map((number) => `/secure-api/pictures-of-the-test/${number}.png`),
  pictures_hidden: false,
  probability: 0.97,
  is_same: true,
  may_erase: true,
};
const matches: UnknownMatches = {
  results: [
    { ...match, id: '01930f5e-0000-7000-8000-000000000001', number: 14 },
    { ...match, id: '01930f5e-0000-7000-8000-000000000002', number: 2031, may_erase: false },
    {
      ...match,
      id: '01930f5e-0000-7000-8000-000000000003',
      number: null,
      visits: 1,
      last_at: match.first_at,
      cameras: ['Hall'],
      pictures: [],
      probability: 0.71,
      is_same: false,
    },
  ],
  more: true,
  compared: 3,
  not_comparable: 2,
  all_cameras: false,
  is_comparable: true,
  version: 'shown',
};

/** Faces that look alike take the models; only what the list says is given. */
async function withMatches(context: BrowserContext): Promise<void> {
  const path = privacyRoutes.unknownMatches.path.replace(':id', '*');
  await context.route(`**${path}`, (route) => route.fulfill({ json: matches }));
  await context.route('**/pictures-of-the-test/*', (route) =>
    route.fulfill({ body: photo, contentType: 'image/png' }),
  );
}

for (const [language, theme] of [
  ['en', 'light'],
  ['ru', 'dark'],
] as const) {
  test(`unknown people that an erasure would take, in ${language}, ${theme}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await choose(context, language, theme);
    await withMatches(context);
    const page = await context.newPage();
    const wrong: string[] = [];
    await signInOn(page, nazar);
    await page.goto(`${nazar.origin}/face-database`);
    await page
      .getByRole('button', { name: /Ayla Example$/ })
      .first()
      .click();
    const openDialog = (name: RegExp) => page.getByRole('button', { name }).click();
    await openDialog(/^(Export data|Экспортировать данные)$/);
    const file = page.getByRole('dialog').last();
    await expect(file.locator('li img')).toHaveCount(8);
    await look(page, `export-data-${language}-${theme}`, wrong);
    await file.getByRole('button', { name: /^(Cancel|Отмена)$/ }).click();
    // On a phone it is in a menu.
    await page.setViewportSize({ width: 1280, height: 800 });
    await openDialog(/^(Erase permanently|Удалить безвозвратно)$/);
    const erase = page.getByRole('dialog').last();
    await expect(erase.locator('li img')).toHaveCount(8);
    await look(page, `erase-${language}-${theme}`, wrong);
    const box = await erase.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(360);
    await erase.getByRole('listitem').last().scrollIntoViewIfNeeded();
    await look(page, `erase-below-${language}-${theme}`, wrong);
    // The same face is selected, if it may be erased; what is only alike is not.
    expect(await erase.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await expect(erase.getByRole('checkbox', { disabled: true })).toHaveCount(1);
    expect(wrong).toEqual([]);
    await context.close();
  });
}

test('C-1001, C-1003, C-1004, C-1007 legal basis, export, and an erasure with its certificate', async ({
  page,
}) => {
  const take = async (name: string): Promise<void> => {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
  };
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/face-database`);
  await page.getByRole('button', { name: 'View details of Ayla Example' }).click();
  const details = page.getByRole('dialog', { name: 'Ayla Example' });
  await expect(details.getByText('Not recorded')).toBeVisible();
  await take('person');
  await page.setViewportSize({ width: 360, height: 800 });
  await take('person-360');
  await page.setViewportSize({ width: 1280, height: 800 });

  await details.getByRole('button', { name: 'Legal basis' }).click();
  const basis = page.getByRole('dialog', { name: 'Legal basis of Ayla Example' });
  await basis.getByLabel('Legal basis').selectOption('consent');
  await basis.getByRole('textbox', { name: 'Ends on' }).fill('2099-01-01');
  await take('person-consent');
  await basis.getByRole('button', { name: 'Save' }).click();
  await expect(details.getByText(/until Jan 1, 2099/)).toBeVisible();

  await details.getByRole('button', { name: 'Export data' }).click();
  const ask = page.getByRole('dialog', { name: 'Export data' });
  // The photo shows no face.
  const searched = "None of the photos can be compared, so unknown people weren't searched.";
  await expect(ask.getByText(searched)).toBeVisible();
  await ask.getByLabel('Your password').fill(administrator.password);
  const download = page.waitForEvent('download');
  await ask.getByRole('button', { name: 'Export data' }).click();
  const path = await (await download).path();
  const listed = spawnSync('tar', ['-tf', path], { encoding: 'utf8' }).stdout;
  expect(listed.split('\n').slice(0, 4)).toEqual([
    'person.json',
    'visits.json',
    'unknown-visits.json',
    'alerts.json',
  ]);
  expect(listed).toMatch(/photos\/[\w-]+\.jpg/);

  await details.getByRole('button', { name: 'Erase permanently' }).click();
  const erase = page.getByRole('dialog', { name: 'Erase permanently' });
  await expect(erase.getByText(searched)).toBeVisible();
  await erase.getByLabel('Your password').fill(administrator.password);
  await take('person-erase');
  await erase.getByRole('button', { name: 'Erase permanently' }).click();
  await expect(page.getByText('Ayla Example was erased. The disk is being cleaned.')).toBeVisible();
  await expect(details).toBeHidden();
  await expect(page.getByRole('button', { name: 'View details of Ayla Example' })).toBeHidden();

  await page.goto(`${nazar.origin}/settings/privacy`);
  await page.getByRole('button', { name: /^Certificate of the erasure/ }).click();
  const certificate = page.getByRole('dialog', { name: 'Certificate' });
  await expect(certificate.getByText('Clean', { exact: true })).toHaveCount(3);
  await take('certificate');
});
