/** Fresh proof as forms collect it, seen at one of them: the deletion of the account. */
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { proofRoutes, type ProofWays } from '@nazar/contract/proof.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { leave } from '#lib/leave.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal, type Seen } from '#testing/server.ts';
import { someWays } from '#testing/usual-replies.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

/** A browser with an authenticator, whose owner shows the passkey or does not. */
function stubAuthenticator(get: () => Promise<unknown>): void {
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  vi.stubGlobal('isSecureContext', true);
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
}

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
const aCredential = {
  id: 'a2V5',
  rawId: bytes('key'),
  type: 'public-key',
  getClientExtensionResults: () => ({}),
  response: {
    authenticatorData: bytes('data'),
    clientDataJSON: bytes('{}'),
    signature: bytes('signed'),
    userHandle: bytes('me'),
  },
};

interface Opened {
  readonly person: ReturnType<typeof userEvent.setup>;
  readonly dialog: ReturnType<typeof within>;
  readonly confirm: () => Promise<void>;
}

/** The dialog that deletes the account, with the word typed. */
async function open(ways: ProofWays | (() => ProofWays)): Promise<Opened> {
  answer(proofRoutes.ways, ways);
  await renderApp({ path: '/security', user: aUser() });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: 'Delete Account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Account' }));
  await person.type(await dialog.findByLabelText(/^Type DELETE to confirm/), 'DELETE');
  const confirm = () => person.click(dialog.getByRole('button', { name: 'Delete Account' }));
  return { person, dialog, confirm };
}

const bodies = (sent: readonly Seen[]): unknown[] => sent.map(({ body }) => body);
const elsewhere = someWays({ password: false, sign_on: 'Example ID' });

test('C-115 an empty password asks nothing of the server; a wrong one is reported at its field, which has the focus', async () => {
  const { person, dialog, confirm } = await open(someWays());
  const sent = answer(
    ownAccountRoutes.deleteAccount,
    fieldRefusal({ password: ['The current password is wrong.'] }),
  );
  await confirm();
  expect(await dialog.findByText('This field is required.')).toBeInTheDocument();
  expect(sent).toHaveLength(0);
  const field = dialog.getByLabelText(/^Your password/);
  await person.type(field, 'not it');
  await confirm();
  expect(await dialog.findByText('The current password is wrong.')).toBeInTheDocument();
  expect(field).toBeInvalid();
  expect(field).toHaveFocus();
});

test('C-115 a user without a password shows a passkey, which was asked for just then', async () => {
  stubAuthenticator(() => Promise.resolve(aCredential));
  const { dialog, confirm } = await open(someWays({ password: false, passkey: true }));
  expect(await dialog.findByText("You'll use your passkey to continue.")).toBeInTheDocument();
  expect(dialog.queryByLabelText(/^Your password/)).toBeNull();
  expect(screen.getByText(/^Your account has no password/)).toBeInTheDocument();
  const asked = answer(proofRoutes.passkeyOptions, { options: { challenge: 'AAAA' } });
  const sent = answer(ownAccountRoutes.deleteAccount, undefined as never);
  await confirm();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(asked).toHaveLength(1);
  expect(bodies(sent)).toMatchObject([{ passkey: { id: 'a2V5', type: 'public-key' } }]);
});

test('a user who shows no passkey reads so, and may take another way', async () => {
  stubAuthenticator(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
  const { person, dialog, confirm } = await open(someWays({ passkey: true }));
  await person.click(await dialog.findByRole('button', { name: 'Use a passkey instead' }));
  answer(proofRoutes.passkeyOptions, { options: { challenge: 'AAAA' } });
  const sent = answer(ownAccountRoutes.deleteAccount, undefined as never);
  await confirm();
  expect(await dialog.findByRole('alert')).toHaveTextContent('No passkey was used. Try again.');
  expect(sent).toHaveLength(0);
  await person.click(dialog.getByRole('button', { name: 'Use your password instead' }));
  expect(dialog.queryByRole('alert')).toBeNull();
  await person.type(dialog.getByLabelText(/^Your password/), 'my own');
  await confirm();
  await waitFor(() => expect(bodies(sent)).toEqual([{ password: 'my own' }]));
});

test('C-115 a user who signs in elsewhere does so again in another tab, and what was typed here stays', async () => {
  const opened = vi.spyOn(leave, 'inNewTab').mockImplementation(() => undefined);
  let ways = elsewhere;
  const { person, dialog, confirm } = await open(() => ways);
  const url = 'https://id.example.org/authorize';
  answer(proofRoutes.signOn, { url });
  await person.click(await dialog.findByRole('button', { name: 'Sign in with Example ID' }));
  await waitFor(() => expect(opened).toHaveBeenCalledWith(url));
  ways = { ...elsewhere, signed_on_until: '2026-03-04T05:06:07.000Z' };
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  expect(await dialog.findByText(/^You've just signed in with Example ID/)).toBeInTheDocument();
  const sent = answer(ownAccountRoutes.deleteAccount, undefined as never);
  await confirm();
  await waitFor(() => expect(bodies(sent)).toEqual([{}]));
});

test('an expired sign-in is reported, and asked for again', async () => {
  let ways: ProofWays = { ...elsewhere, signed_on_until: '2026-03-04T05:06:07.000Z' };
  const { dialog, confirm } = await open(() => ways);
  await dialog.findByText(/^You've just signed in with Example ID/);
  ways = elsewhere;
  answer(
    ownAccountRoutes.deleteAccount,
    refusal(400, 'proof_required', 'Prove again that it is you.'),
  );
  await confirm();
  expect(await dialog.findByRole('alert')).toHaveTextContent('Prove again that it is you.');
  expect(
    await dialog.findByRole('button', { name: 'Sign in with Example ID' }),
  ).toBeInTheDocument();
});

test('a provider that does not answer is reported beside its button', async () => {
  const { person, dialog } = await open(elsewhere);
  answer(proofRoutes.signOn, refusal(503, 'sign_on_unavailable', 'The provider does not answer.'));
  await person.click(await dialog.findByRole('button', { name: 'Sign in with Example ID' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('The provider does not answer.');
});

test('a user with nothing to show here reads where to turn', async () => {
  const { dialog } = await open(someWays({ password: false }));
  expect(await dialog.findByText(/^You can.t confirm it.s you here/)).toBeInTheDocument();
});
