import { accountRoutes } from '@nazar/contract/accounts.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { faceRoutes, type EnrolledFace } from '@nazar/contract/faces.ts';
import { probingRoutes } from '@nazar/contract/probing.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const categoryId = '22222222-2222-4222-8222-222222222222';
const name = async (label: string | RegExp, text: string): Promise<void> => {
  await userEvent.type(await screen.findByLabelText(label), text);
};

async function reachAdministrator(path: string): Promise<void> {
  await renderApp({ path, setupRequired: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await screen.findByRole('heading', { name: 'Create the administrator' });
}

async function fillAdministrator(password: string): Promise<void> {
  await name(/^First name/, 'Aysel');
  await name(/^Last name/, 'Quliyeva');
  await name(/^Email/, 'aysel@example.com');
  await name(/^Password/, password);
  await userEvent.click(screen.getByRole('button', { name: 'Create administrator' }));
}

test('before the first administrator every path leads to the wizard', async () => {
  await renderApp({ path: '/cameras', setupRequired: true });
  expect(await screen.findByRole('heading', { name: 'Welcome to Nazar' })).toBeInTheDocument();
  expect(location.pathname).toBe('/setup');
  expect(screen.getAllByRole('radio')).toHaveLength(4);
});

test('C-101 the code of the link is used and leaves the address at once', async () => {
  await reachAdministrator('/setup?code=7F3K-22QX');
  expect(location.href).not.toContain('7F3K');
  expect(screen.queryByLabelText(/^Set-up code/)).not.toBeInTheDocument();
  const sent = answer(setupRoutes.administrator, { access: 'good', refresh: 'r', user: aUser() });
  await fillAdministrator('a sentence of my own');
  expect(await screen.findByRole('heading', { name: 'Add the first camera' })).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({
    code: '7F3K-22QX',
    first_name: 'Aysel',
    last_name: 'Quliyeva',
    email: 'aysel@example.com',
    password: 'a sentence of my own',
    registration: 'open',
  });
  expect(localStorage.getItem('auth-token')).toBe('good');
});

test('without a code in the link it is asked for; an administrator needs 12 characters', async () => {
  await reachAdministrator('/setup');
  const sent = answer(setupRoutes.administrator, { access: 'good', refresh: 'r', user: aUser() });
  await fillAdministrator('short');
  expect(
    await screen.findByText('Too short. Minimum number of characters: 12.'),
  ).toBeInTheDocument();
  expect(screen.getByLabelText(/^Set-up code/)).toBeInvalid();
  expect(sent).toHaveLength(0);
});

test('a refusal of the server lands on its field, and a refused code can be typed again', async () => {
  await reachAdministrator('/setup?code=old');
  answer(setupRoutes.administrator, fieldRefusal({ password: ['Too common.'] }));
  await fillAdministrator('password1234');
  expect(await screen.findByText('Too common.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Password/)).toBeInvalid();
  answer(setupRoutes.administrator, refusal(403, 'setup_code_invalid', 'The code is old.'));
  await userEvent.type(screen.getByLabelText(/^Password/), ' and more');
  await userEvent.click(screen.getByRole('button', { name: 'Create administrator' }));
  expect(await screen.findByText('The code is old.')).toBeInTheDocument();
  expect(screen.getByLabelText(/^Set-up code/)).toHaveValue('old');
});

function nothingYet(): void {
  answer(cameraRoutes.list, { count: 0, results: [] });
  answer(faceRoutes.list, { count: 0, results: [] });
  answer(faceRoutes.categories, { results: [{ id: categoryId, name: 'Staff', color: '#2563eb' }] });
}

test('the wizard goes on where it was left: own camera, then a first person whose photo does not serve', async () => {
  nothingYet();
  await renderApp({ path: '/setup', user: aUser() });
  await userEvent.click(await screen.findByLabelText(/^Your camera/));
  await name(/^Name/, 'Gate');
  await name(/^Location/, 'North');
  await name(/^Stream address/, 'ftp://camera');
  await userEvent.click(screen.getByRole('button', { name: 'Add camera' }));
  expect(await screen.findByText('Enter a valid address.')).toBeInTheDocument();
  await userEvent.clear(screen.getByLabelText(/^Stream address/));
  // What can be read in two ways is the server's to refuse.
  const unclear = 'This address can be read in two ways.';
  const refused = answer(cameraRoutes.add, fieldRefusal({ url: [unclear] }));
  await name(/^Stream address/, 'rtsp://admin:1234/a@10.0.0.7/main');
  await userEvent.click(screen.getByRole('button', { name: 'Add camera' }));
  expect(await screen.findByText(unclear)).toBeInTheDocument();
  expect(refused).toHaveLength(1);
  const cameras = answer(cameraRoutes.add, {} as Camera);
  await userEvent.clear(screen.getByLabelText(/^Stream address/));
  await name(/^Stream address/, 'rtsp://admin:p/w@10.0.0.7/main');
  await userEvent.click(screen.getByRole('button', { name: 'Add camera' }));

  await screen.findByRole('heading', { name: 'Add the first person' });
  expect(cameras[0]?.body).toMatchObject({
    name: 'Gate',
    url: 'rtsp://admin:p/w@10.0.0.7/main',
    type: 'rtsp',
    status: 'active',
  });
  await name(/^First name/, 'Leyla');
  await name(/^Last name/, 'Demir');
  await userEvent.click(screen.getByRole('button', { name: 'Add person' }));
  expect(await screen.findByText('Choose at least one photo')).toBeInTheDocument();
  const photo = new File(['jpeg'], 'leyla.jpg', { type: 'image/jpeg' });
  await userEvent.upload(screen.getByLabelText(/^Choose photos/), photo);
  const faces = answer(faceRoutes.add, {
    refused_images: [],
    first_name: 'Leyla',
    last_name: 'Demir',
    images: [{ id: categoryId, image: '/x', usable: false, fault: 'too_small' }],
    usable_images: 0,
  } as unknown as EnrolledFace);
  await userEvent.click(screen.getByRole('button', { name: 'Add person' }));
  expect(await screen.findByText('The face is too small in this picture.')).toBeInTheDocument();
  expect(faces[0]?.body).toMatch(
    new RegExp(`name="category"\\s+${categoryId}[^]+name="uploaded_images"; filename="leyla.jpg"`),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Go to the dashboard' }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
});

test('~CAM-053 the first camera can be tested before it is added, and what is wrong is shown', async () => {
  nothingYet();
  await renderApp({ path: '/setup', user: aUser() });
  await userEvent.click(await screen.findByLabelText(/^Your camera/));
  await name(/^Stream address/, 'rtsp://10.0.0.7/main');
  const asked = answer(probingRoutes.testUnsaved, {
    success: false,
    outcome: 'password_refused',
    message: 'The camera refused the user name or the password.',
    latency_ms: null,
    content_type: null,
    codec: null,
    width: null,
    height: null,
    fps: null,
    still: null,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Test Connection' }));
  expect(
    await screen.findByText(/10\.0\.0\.7.*The camera refused the user name or the password\./),
  ).toBeVisible();
  expect(asked[0]?.body).toMatchObject({ type: 'rtsp', url: 'rtsp://10.0.0.7/main' });
  expect(screen.getByRole('heading', { name: 'Add the first camera' })).toBeVisible();
});

test('the demo camera is added with or without its people', async () => {
  nothingYet();
  await renderApp({ path: '/setup', user: aUser() });
  const sent = answer(setupRoutes.demoCamera, { camera_id: categoryId });
  await userEvent.click(await screen.findByLabelText(/^Add three people/));
  await userEvent.click(screen.getByRole('button', { name: 'Add the demo camera' }));
  await screen.findByRole('heading', { name: 'Add the first person' });
  expect(sent.map((one) => one.body)).toEqual([{ enrol: false }]);
});

test('with a camera and a person there, the wizard is over; without the right it never opens', async () => {
  answer(cameraRoutes.list, { count: 1, results: [] });
  answer(faceRoutes.list, { count: 1, results: [] });
  const { unmount } = await renderApp({ path: '/setup', user: aUser() });
  await waitFor(() => expect(location.pathname).toBe('/'));
  unmount();
  answer(accountRoutes.me, aUser({ role: 'user', is_staff: false, is_superuser: false }));
  await renderApp({
    path: '/setup',
    user: aUser({ role: 'user', is_staff: false, is_superuser: false }),
  });
  await waitFor(() => expect(location.pathname).toBe('/'));
});
