import { modelRoutes, type ModelChange, type ModelsReply } from '@nazar/contract/models.ts';
import { settingsRoutes, settingsSections } from '@nazar/contract/settings.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { someModels } from '#testing/usual-replies.ts';

const better = { id: 'better', version: '2', license: 'Apache-2.0' };
const two: Partial<ModelsReply> = { installed: [...someModels().installed, better] };
const aChange = (over: Partial<ModelChange> = {}): ModelChange => ({
  to: { id: better.id, version: better.version },
  started_at: '2026-03-04T05:06:07.000Z',
  started_by: 'Leyla Orucova',
  total: 200,
  done: 50,
  failed: 0,
  losses: null,
  ...over,
});

async function open(models: () => ModelsReply, role: 'admin' | 'user' = 'admin'): Promise<void> {
  answer(settingsRoutes.read, { recognition: settingsSections.recognition.defaults });
  answer(modelRoutes.read, models);
  const user = role === 'admin' ? aUser({ role }) : aUser({ role, is_superuser: false });
  await renderApp({ path: '/settings/recognition', user });
  await screen.findByRole('heading', { level: 1, name: 'Recognition' });
}
const card = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Models' });

test('the models that serve are named with their license; without others there is nothing to choose', async () => {
  await open(() => someModels());
  const models = within(await card());
  expect(await models.findByText('blazeface-dlib, version 1')).toBeVisible();
  expect(models.getByText('See THIRD_PARTY_NOTICES.md')).toBeVisible();
  expect(models.getByText('No other models installed.')).toBeVisible();
  expect(models.queryByRole('button')).toBeNull();
});

test('models that set-up could not download are named, with when it tries again', async () => {
  await open(() => someModels({ unavailable: ['ultraface-mobilefacenet'] }));
  const models = within(await card());
  expect(
    await models.findByText(
      "ultraface-mobilefacenet couldn't be downloaded during set-up. Nazar tries again at the next start.",
    ),
  ).toBeVisible();
});

test('the card says that Nazar changes to the awaited models', async () => {
  const id = 'ultraface-mobilefacenet';
  await open(() => someModels({ unavailable: [id], awaited: id }));
  expect(
    await within(await card()).findByText(
      `${id} recognizes people better but couldn't be downloaded during set-up. Nazar tries again at the next start and then changes to it.`,
    ),
  ).toBeVisible();
});

test('another one is chosen after a question; then its progress shows, and can be cancelled', async () => {
  let now = someModels(two);
  await open(() => now);
  const begun = answer(modelRoutes.use, () => (now = someModels({ ...two, change: aChange() })));
  const cancelled = answer(modelRoutes.cancel, () => {
    now = someModels(two);
    return new Response(null, { status: 204 });
  });
  const models = within(await card());
  const choice = await models.findByLabelText('New model');
  expect(choice).toHaveDisplayValue('better, version 2 (Apache-2.0)');
  await userEvent.click(models.getByRole('button', { name: 'Change model' }));
  const question = await screen.findByRole('alertdialog', { name: 'Change to better?' });
  expect(question).toHaveTextContent('blazeface-dlib stays in use');
  expect(begun).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Change model' }));
  const progress = await models.findByRole('progressbar', { name: 'Preparing better' });
  expect(progress).toHaveAttribute('max', '200');
  expect(progress).toHaveAttribute('value', '50');
  expect(models.getByText('50 of 200 photos and visits')).toBeVisible();
  expect(models.getByText(/^Started .* by Leyla Orucova$/)).toBeVisible();
  expect(begun[0]!.body).toEqual({ model: 'better', accept_losses: 0 });
  await userEvent.click(models.getByRole('button', { name: 'Cancel change' }));
  expect(await models.findByLabelText('New model')).toBeVisible();
  expect(cancelled).toHaveLength(1);
});

test('losses are named before the user agrees to them', async () => {
  const people = [
    { id: aUser().id, name: 'Anar Aliyev' },
    { id: aUser().id, name: 'Nigar Orucova' },
  ];
  const change = aChange({ done: 197, failed: 3, losses: { photos: 3, people } });
  await open(() => someModels({ ...two, change }));
  const agreed = answer(modelRoutes.use, someModels(two));
  const models = within(await card());
  expect(await models.findByText(/finds no face in 3 photos in use/)).toBeVisible();
  await userEvent.click(models.getByRole('button', { name: 'Change anyway' }));
  const question = await screen.findByRole('alertdialog');
  expect(question).toHaveTextContent('Anar Aliyev and Nigar Orucova');
  await userEvent.click(within(question).getByRole('button', { name: 'Change anyway' }));
  await expect
    .poll(() => agreed.map(({ body }) => body))
    .toEqual([{ model: 'better', accept_losses: 3 }]);
});

test('models that are not installed are shown as missing, and how long one may go back', async () => {
  await open(() =>
    someModels({
      installed: [better],
      serving: { ...someModels().serving, is_installed: false, is_loaded: false },
      previous: { id: 'older', version: '1', until: '2026-03-11T05:06:07.000Z' },
    }),
  );
  const models = within(await card());
  expect(await models.findByRole('alert')).toHaveTextContent('Recognition is off');
  expect(models.getByText(/^older was used before\. You can switch back until/)).toBeVisible();
  await userEvent.click(models.getByRole('button', { name: 'Change model' }));
  expect(await screen.findByRole('alertdialog')).toHaveTextContent("isn't installed");
});

test('a failure or a refusal is reported, and can be tried again', async () => {
  let fails = true;
  answer(settingsRoutes.read, { recognition: settingsSections.recognition.defaults });
  answer(modelRoutes.read, () => (fails ? refusal(500, 'internal', 'Broken.') : someModels(two)));
  await renderApp({ path: '/settings/recognition', user: aUser({ role: 'admin' }) });
  const models = within(await card());
  expect(await models.findByText('Broken.')).toBeVisible();
  fails = false;
  await userEvent.click(models.getByRole('button', { name: 'Retry' }));
  answer(modelRoutes.use, () => refusal(409, 'model_change_running', 'Another one is running.'));
  await userEvent.click(await models.findByRole('button', { name: 'Change model' }));
  const question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: 'Change model' }));
  expect(await within(question).findByText('Another one is running.')).toBeVisible();
});

test('C-302 a user who may not change models does not see them', async () => {
  answer(settingsRoutes.read, { recognition: settingsSections.recognition.defaults });
  const staff = aUser({ role: 'user', is_staff: true, is_superuser: false });
  await renderApp({ path: '/settings/recognition', user: staff });
  await screen.findByRole('slider', { name: 'Recognition threshold' });
  expect(screen.queryByRole('region', { name: 'Models' })).toBeNull();
});
