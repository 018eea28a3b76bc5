import { twoFactorRoutes, type TwoFactorState } from '@nazar/contract/two-factor.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';
import { noSecondFactor } from '#testing/usual-replies.ts';

const on: TwoFactorState = {
  is_on: true,
  totp: true,
  passkeys: 0,
  recovery_codes_left: 10,
  is_demanded: false,
};
const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const uri = `otpauth://totp/Nazar:aysel@example.com?issuer=Nazar&secret=${secret}`;
const codes = Array.from({ length: 10 }, (_, n) => `abcd${n}-fghjk`);

/** The state as the server would tell it; tests change it. */
async function open(state: TwoFactorState): Promise<{ now: TwoFactorState }> {
  const server = { now: state };
  answer(twoFactorRoutes.state, () => server.now);
  await renderApp({ path: '/security', user: aUser() });
  await screen.findByRole('list', { name: 'Two-Factor Authentication' });
  return server;
}

const card = () => screen.getByRole('region', { name: 'Two-Factor Authentication' });
const dialogNamed = (name: string) => screen.findByRole('dialog', { name });

test('~SEC-010 turning on shows a QR code and the secret, asks for a code, then shows recovery codes', async () => {
  const server = await open(noSecondFactor);
  const person = userEvent.setup();
  expect(within(card()).getByText('Off')).toBeInTheDocument();
  answer(twoFactorRoutes.setUp, { secret, uri });
  await person.click(within(card()).getByRole('button', { name: 'Set up' }));
  const dialog = await dialogNamed('Set up authenticator app');
  expect(await within(dialog).findByText('QR code for your authenticator app')).toBeInTheDocument();
  expect(within(dialog).getByText(/^ABCD EFGH/)).toHaveTextContent(
    secret.match(/.{4}/g)!.join(' '),
  );
  const code = within(dialog).getByLabelText(/^Code from the app/);
  answer(twoFactorRoutes.verify, fieldRefusal({ code: ['Not right.'] }));
  await person.type(code, '000000{Enter}');
  expect(await within(dialog).findByText('Not right.')).toBeInTheDocument();
  const sent = answer(twoFactorRoutes.verify, () => {
    server.now = on;
    return { recovery_codes: codes };
  });
  await person.clear(code);
  await person.type(code, '123456{Enter}');
  const list = await within(dialog).findByRole('list', { name: 'Recovery codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(codes);
  expect(sent.map(({ body }) => body)).toEqual([{ code: '123456' }]);
  await person.click(within(dialog).getByRole('button', { name: "I've saved them" }));
  expect(await within(card()).findByText('On')).toBeInTheDocument();
  expect(within(card()).getByText('10 codes left')).toBeInTheDocument();
});

test('~SEC-010 recovery codes are copied and downloaded', async () => {
  await open(on);
  const person = userEvent.setup();
  answer(twoFactorRoutes.recoveryCodes, { recovery_codes: codes });
  await person.click(within(card()).getByRole('button', { name: 'Create new codes' }));
  const dialog = await dialogNamed('New recovery codes');
  await person.type(within(dialog).getByLabelText(/^Your password/), 'my own');
  await person.type(within(dialog).getByLabelText(/^Code/), '123456{Enter}');
  await person.click(await within(dialog).findByRole('button', { name: 'Copy' }));
  expect(await within(dialog).findByText('The codes were copied.')).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(codes.join('\n'));
  const files: Blob[] = [];
  URL.createObjectURL = vi.fn((file: Blob) => `blob:${files.push(file)}`);
  URL.revokeObjectURL = vi.fn();
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  await person.click(within(dialog).getByRole('button', { name: 'Download' }));
  expect(names).toEqual(['nazar-recovery-codes.txt']);
  expect(await files[0]?.text()).toBe(`${codes.join('\n')}\n`);
});

test('C-109 an old session is asked for fresh proof before there is a secret', async () => {
  await open(noSecondFactor);
  const person = userEvent.setup();
  const sent = answer(twoFactorRoutes.setUp, ({ body }) =>
    (body as { password?: string }).password === 'my own'
      ? { secret, uri }
      : refusal(400, 'proof_required', 'Prove again that it is you.'),
  );
  await person.click(within(card()).getByRole('button', { name: 'Set up' }));
  const dialog = await dialogNamed('Set up authenticator app');
  await person.type(await within(dialog).findByLabelText(/^Your password/), 'my own{Enter}');
  expect(await within(dialog).findByText(/^ABCD EFGH/)).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{}, { password: 'my own' }]);
});

test('C-109 turning off takes password and code, and says what the server says', async () => {
  const server = await open(on);
  const person = userEvent.setup();
  await person.click(within(card()).getByRole('button', { name: 'Turn off' }));
  const dialog = await dialogNamed('Turn off authenticator app');
  answer(twoFactorRoutes.disable, refusal(429, 'too_many_requests', 'Wait a moment.'));
  await person.type(within(dialog).getByLabelText(/^Your password/), 'my own');
  await person.type(within(dialog).getByLabelText(/^Code/), '123456{Enter}');
  expect(await within(dialog).findByText('Wait a moment.')).toBeInTheDocument();
  const sent = answer(twoFactorRoutes.disable, () => {
    server.now = noSecondFactor;
    return undefined as never;
  });
  await person.click(within(dialog).getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('The authenticator app was turned off.')).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ password: 'my own', code: '123456' }]);
  await waitFor(() => expect(within(card()).getByText('Off')).toBeInTheDocument());
});

test.each([
  ['On', on],
  ['Off', noSecondFactor],
])('PRO-018 the profile says %s and leads to the set-up', async (word, state) => {
  answer(twoFactorRoutes.state, state);
  await renderApp({ path: '/profile', user: aUser() });
  const link = await screen.findByRole('link', { name: `Two-Factor Authentication ${word}` });
  await userEvent.click(link);
  await waitFor(() => expect(location.pathname).toBe('/security'));
});
