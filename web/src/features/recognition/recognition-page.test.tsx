import { settingsRoutes, settingsSections } from '@nazar/contract/settings.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const usual = settingsSections.recognition.defaults;
const save = 'Save Changes';

async function open(user = aUser({ role: 'admin' }), recognition = usual): Promise<void> {
  answer(settingsRoutes.read, { recognition, attributes_confirmed_at: null });
  await renderApp({ path: '/settings/recognition', user });
  await screen.findByRole('heading', { level: 1, name: 'Recognition' });
}

test('SET-011, SET-012, SET-013 two sliders begin as documented, and all four fields are sent as chosen', async () => {
  await open(undefined, { ...usual, enabledFeatures: ['age', 'gender', 'emotion'] });
  const sent = answer(settingsRoutes.update, {});
  const threshold = await screen.findByRole('slider', { name: 'Recognition threshold' });
  const size = screen.getByRole('slider', { name: 'Minimum face size' });
  expect(threshold).toHaveValue('75');
  expect(
    [threshold, size].map((one) => [one.getAttribute('min'), one.getAttribute('max')]),
  ).toEqual([
    ['50', '100'],
    ['20', '100'],
  ]);
  expect(size).toHaveAttribute('aria-valuetext', '50 px');
  fireEvent.change(threshold, { target: { value: '90' } });
  fireEvent.change(size, { target: { value: '20' } });
  expect(screen.getByText('90%')).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText('Processing mode'), 'accuracy');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Emotion/ }));
  await userEvent.click(screen.getByRole('button', { name: save }));
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeInTheDocument();
  expect(await screen.findByText('The settings were saved.', {}, { timeout: 8000 })).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    {
      recognition: {
        threshold: 90,
        minFaceSize: 20,
        processingMode: 'accuracy',
        enabledFeatures: ['age', 'gender'],
        peoplePerAccount: 1_000,
        photosPerAccount: 5_000,
        photoGiBPerAccount: 2,
      },
    },
  ]);
});

test('SET-015 three processing modes, of which balanced is the usual one', async () => {
  await open();
  const mode = await screen.findByLabelText('Processing mode');
  expect(mode).toHaveValue('balanced');
  expect(
    within(mode)
      .getAllByRole('option')
      .map((option) => (option as HTMLOptionElement).value),
  ).toEqual(['speed', 'balanced', 'accuracy']);
});

test('=SET-014 every feature can be ticked, and none is at first', async () => {
  await open();
  for (const name of [/^Age/, /^Gender/, /^Emotion/, /^Mask/])
    expect(await screen.findByRole('checkbox', { name })).not.toBeChecked();
});

test('C-524 limits per account are sent as typed, and one that is out of range is not', async () => {
  await open();
  const sent = answer(settingsRoutes.update, {});
  const people = await screen.findByRole('spinbutton', { name: /^People per account/ });
  const photos = screen.getByRole('spinbutton', { name: /^Photos per account/ });
  const space = screen.getByRole('spinbutton', { name: /^Photo storage per account, in GiB/ });
  const boxes = [people, photos, space];
  expect(boxes.map((box) => (box as HTMLInputElement).value)).toEqual(['1000', '5000', '2']);
  expect(screen.getByText(/Administrators have no limit/)).toBeVisible();
  fireEvent.change(people, { target: { value: '0' } });
  await userEvent.click(screen.getByRole('button', { name: save }));
  expect(people).toBeInvalid();
  expect(sent).toEqual([]);
  fireEvent.change(people, { target: { value: '250' } });
  fireEvent.change(space, { target: { value: '10' } });
  await userEvent.click(screen.getByRole('button', { name: save }));
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ recognition: { ...usual, peoplePerAccount: 250, photoGiBPerAccount: 10 } }]);
});

test('SET-016 a feature that no installed model provides says so and is not offered', async () => {
  await open();
  const boxes = await screen.findAllByRole('checkbox', { name: /Not available/ });
  expect(boxes.map((box) => box.getAttribute('value'))).toEqual(['mask']);
  expect(boxes[0]).toBeDisabled();
  expect(screen.getByRole('checkbox', { name: 'Age' })).toBeEnabled();
});

test('~SET-016 an attribute that was ticked before a model lacked it can be taken away', async () => {
  await open(undefined, { ...usual, enabledFeatures: ['mask'] });
  const sent = answer(settingsRoutes.update, {});
  const mask = await screen.findByRole('checkbox', { name: /^Mask/ });
  expect(mask).toBeChecked();
  await userEvent.click(mask);
  await userEvent.click(screen.getByRole('button', { name: save }));
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ recognition: { ...usual, enabledFeatures: [] } }]);
});

const dialog = () => screen.findByRole('dialog', { name: 'Estimate age, gender or emotion?' });

test('~SET-014 the first box asks, says how often it is wrong and where it is forbidden, and is sent with that', async () => {
  await open();
  const sent = answer(settingsRoutes.update, {});
  const age = await screen.findByRole('checkbox', { name: 'Age' });
  expect(age).not.toBeChecked();
  await userEvent.click(age);
  const asked = within(await dialog());
  expect(age).not.toBeChecked();
  expect(asked.getByText(/off by 4.5 years on average/)).toBeVisible();
  expect(asked.getByText(/right for 95% of faces/)).toBeVisible();
  expect(asked.getByText(/no figures are published/)).toBeVisible();
  expect(asked.getByText(/^Not known:/)).toBeVisible();
  expect(asked.getByText(/AI Act Art. 5\(1\)\(f\)/)).toBeVisible();
  await userEvent.click(asked.getByRole('button', { name: 'Confirm' }));
  expect(age).toBeChecked();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Emotion' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: save }));
  const recognition = { ...usual, enabledFeatures: ['age', 'emotion'] };
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ recognition, confirm_attributes: true }]);
});

test('~SET-014 a user who does not confirm ticks nothing, and nothing is sent of it', async () => {
  await open();
  const sent = answer(settingsRoutes.update, {});
  const gender = await screen.findByRole('checkbox', { name: 'Gender' });
  gender.focus();
  await userEvent.keyboard(' ');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
  expect(gender).not.toBeChecked();
  await waitFor(() => expect(gender).toHaveFocus());
  await userEvent.click(screen.getByRole('button', { name: save }));
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ recognition: { ...usual, enabledFeatures: [] } }]);
});

test('~SET-014 an attribute that was confirmed before is not asked again, and says since when', async () => {
  answer(settingsRoutes.read, {
    recognition: usual,
    attributes_confirmed_at: '2026-03-04T05:06:07.000Z',
  });
  await renderApp({ path: '/settings/recognition', user: aUser({ role: 'admin' }) });
  const age = await screen.findByRole('checkbox', { name: 'Age' });
  await userEvent.click(age);
  expect(age).toBeChecked();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByText('Confirmed on March 4, 2026.')).toBeVisible();
});

test('a refusal of the server is shown, and nothing that was chosen is lost', async () => {
  await open();
  answer(settingsRoutes.update, () => refusal(503, 'unavailable', 'Not now.'));
  const threshold = await screen.findByRole('slider', { name: 'Recognition threshold' });
  fireEvent.change(threshold, { target: { value: '60' } });
  await userEvent.click(screen.getByRole('button', { name: save }));
  expect(await screen.findByText('Not now.', {}, { timeout: 8000 })).toBeVisible();
  expect(threshold).toHaveValue('60');
});

test('C-302 staff read and change nothing; others see nothing', async () => {
  await open(aUser({ role: 'user', is_staff: true, is_superuser: false }));
  expect(await screen.findByRole('slider', { name: 'Recognition threshold' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: save })).toBeNull();
});

test('C-302 a user has no settings of recognition to see', async () => {
  await open(aUser({ role: 'user', is_staff: false, is_superuser: false }));
  expect(screen.queryByRole('slider')).toBeNull();
});
