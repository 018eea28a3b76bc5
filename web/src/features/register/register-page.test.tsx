import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';

const registered = {
  id: aUser().id,
  email: 'new@example.com',
  first_name: 'New',
  last_name: 'Person',
  role: 'user',
} as const;

async function fill(password2 = 'long enough'): Promise<ReturnType<typeof userEvent.setup>> {
  const person = userEvent.setup();
  await person.type(await screen.findByLabelText(/^First name/), 'New');
  await person.type(screen.getByLabelText(/^Last name/), 'Person');
  await person.type(screen.getByLabelText(/^Email/), 'new@example.com');
  await person.type(screen.getByLabelText(/^Password/), 'long enough');
  await person.type(screen.getByLabelText(/^Confirm password/), password2);
  return person;
}
const send = (person: ReturnType<typeof userEvent.setup>): Promise<void> =>
  person.click(screen.getByRole('button', { name: 'Create account' }));

test('NAV-022, SES-007, SES-042 login and registration link to each other, both without the shell', async () => {
  await renderApp({ path: '/login' });
  const link = await screen.findByRole('link', { name: 'Sign up' });
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  await userEvent.click(link);
  expect(await screen.findByRole('heading', { name: 'Sign up' })).toBeInTheDocument();
  expect(location.pathname).toBe('/register');
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('link', { name: 'Sign in' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument();
  expect(location.pathname).toBe('/login');
});

test('C-113 where registration is closed, login offers none and the page says so', async () => {
  await renderApp({ path: '/register', registration: 'closed' });
  expect(await screen.findByRole('heading', { name: 'Registration is closed' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Create account' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('link', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument();
});

test('SES-033 the form asks for the names, the email, the password twice, and the terms', async () => {
  await renderApp({ path: '/register' });
  await screen.findByLabelText(/^First name/);
  const fields = [...document.querySelectorAll<HTMLInputElement>('form input')];
  expect(fields.map(({ name, type }) => [name, type])).toEqual([
    ['first_name', 'text'],
    ['last_name', 'text'],
    ['email', 'email'],
    ['password', 'password'],
    ['password2', 'password'],
    ['terms', 'checkbox'],
  ]);
});

test('SES-034 all fields and the terms are required; nothing is sent', async () => {
  await renderApp({ path: '/register' });
  const sent = answer(ownAccountRoutes.register, registered);
  await userEvent.click(await screen.findByRole('button', { name: 'Create account' }));
  expect(await screen.findAllByText('This field is required.')).toHaveLength(5);
  const person = await fill();
  await send(person);
  expect(await screen.findAllByText('This field is required.')).toHaveLength(1);
  expect(screen.getByRole('checkbox', { name: /I agree to the terms/ })).toBeInvalid();
  expect(sent).toHaveLength(0);
});

test('SES-035, SES-036, SES-037 passwords must match and be long enough', async () => {
  await renderApp({ path: '/register' });
  const sent = answer(ownAccountRoutes.register, registered);
  const person = await fill('another one');
  expect(screen.getByText('Password must be at least 8 characters long')).toBeInTheDocument();
  await send(person);
  expect(await screen.findByText('Passwords do not match')).toBeInTheDocument();
  await person.clear(screen.getByLabelText(/^Password/));
  await person.type(screen.getByLabelText(/^Password/), 'seven-7');
  await send(person);
  expect(await screen.findByText(/Minimum number of characters: 8/)).toBeInTheDocument();
  expect(sent).toHaveLength(0);
});

test('SES-038, SES-039, SES-040, ~SES-041 terms are read in a modal; only accepting ticks the box', async () => {
  await renderApp({ path: '/register' });
  const person = userEvent.setup();
  const box = await screen.findByRole('checkbox', { name: /I agree to the terms/ });
  const open = async (): Promise<HTMLElement> => {
    await person.click(screen.getByRole('button', { name: 'Read the Terms of Service' }));
    return screen.findByRole('dialog', { name: 'Terms of Service' });
  };
  const terms = await open();
  expect(terms).toHaveTextContent(
    'Biometric data is deleted within 30 days of account termination.',
  );
  await person.click(within(terms).getAllByRole('button', { name: 'Close' }).at(-1)!);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(box).not.toBeChecked();
  await person.click(within(await open()).getByRole('button', { name: 'I Accept' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(box).toBeChecked();
});

describe('SES-043, SES-045, SES-046 registering', () => {
  test.each([
    ['open', 'Registration successful! Please log in.'],
    [
      'approval',
      'Registration successful! You can sign in once an administrator approves your account.',
    ],
  ] as const)(
    'a registration that is %s is sent once and confirmed at the login',
    async (registration, sentence) => {
      await renderApp({ path: '/register', registration });
      const { promise: gate, resolve: release } = Promise.withResolvers<void>();
      const sent = answer(ownAccountRoutes.register, async () => {
        await gate;
        return registered;
      });
      const person = await fill();
      await person.click(screen.getByRole('checkbox', { name: /I agree to the terms/ }));
      await send(person);
      await person.click(await screen.findByRole('button', { name: 'Creating account...' }));
      release();
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(location.pathname).toBe('/login');
      expect(sent.map(({ body }) => body)).toEqual([
        {
          first_name: 'New',
          last_name: 'Person',
          email: 'new@example.com',
          password: 'long enough',
          password2: 'long enough',
        },
      ]);
    },
  );
});

describe('SES-047, SES-048 a refused registration', () => {
  test.each([
    [
      'SES-047 fields',
      () => fieldRefusal({ email: ['Taken.', 'Ask.'], password: ['Common.'] }),
      ['Email: Taken., Ask.', 'Password: Common.'],
    ],
    ['SES-047 a detail', () => refusal(429, 'too_many_requests', 'Wait.'), ['Wait.']],
    [
      'SES-048 a dead line',
      () => HttpResponse.error(),
      ['An error occurred during registration. Please try again.'],
    ],
  ])('%s: a refusal is shown line by line', async (_title, reply, lines) => {
    await renderApp({ path: '/register' });
    answer(ownAccountRoutes.register, reply());
    const person = await fill();
    await person.click(screen.getByRole('checkbox', { name: /I agree to the terms/ }));
    await send(person);
    const alert = await screen.findByRole('alert');
    await waitFor(() =>
      expect([...alert.querySelectorAll('p')].map((line) => line.textContent)).toEqual(lines),
    );
  });
});
