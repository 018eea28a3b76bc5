/**
 * Fresh proof as a form collects it: the password again, a passkey, or a sign-in elsewhere, whichever the account
 * has. The form calls `show` when it is sent, and puts what it resolves with into the request.
 */
import { proofRoutes, type FreshProof, type ProofWays } from '@nazar/contract/proof.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { passkeyObstacle, showAsFreshProof } from '#api/passkeys.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { ask } from '#api/query.ts';
import { leave } from '#lib/leave.ts';

export type ProofWay = 'password' | 'passkey' | 'sign_on';

export interface FreshProofControl {
  /** The one in use; null: the account has none here. */
  readonly way: ProofWay | null;
  /** The others it has. */
  readonly others: readonly ProofWay[];
  readonly choose: (way: ProofWay) => void;
  readonly password: string;
  readonly setPassword: (password: string) => void;
  /** What the provider is called. */
  readonly provider: string;
  /** Until when a sign-in there counts; null: there is none. */
  readonly signedOnUntil: string | null;
  readonly signOn: () => Promise<void>;
  readonly error: string | undefined;
  /** Null: nothing was shown, and the form says so. */
  readonly show: () => Promise<FreshProof | null>;
  /** Whether a refusal was of the proof; the form says so then. */
  readonly refuse: (error: unknown) => boolean;
  /** What was typed, once it has served. */
  readonly forget: () => void;
}

export const proofWaysQuery = ask('account', proofRoutes.ways, {});

/** How often the server is asked while the user signs in elsewhere. */
const lookMs = 2_000;

/** Most accounts have a password: until it is known, it is what the form asks for. */
const unknown: ProofWays = { password: true, passkey: false, sign_on: null, signed_on_until: null };

/** The best first. */
function waysOf({ password, passkey, sign_on, signed_on_until }: ProofWays): ProofWay[] {
  const ways: ProofWay[] = [];
  if (password) ways.push('password');
  if (passkey && passkeyObstacle() === null) ways.push('passkey');
  if (sign_on === null) return ways;
  // It was done a moment ago, perhaps for this very form.
  return signed_on_until !== null && !password ? ['sign_on', ...ways] : [...ways, 'sign_on'];
}

export function useFreshProof(): FreshProofControl {
  const { t } = useTranslation();
  const [isSigningOn, setSigningOn] = useState(false);
  // They sign in elsewhere in another tab, or in a window beside this one, which then never loses sight.
  const { data = unknown, refetch } = useQuery({
    ...proofWaysQuery,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      isSigningOn && state.data?.signed_on_until === null ? lookMs : false,
  });
  const [chosen, choose] = useState<ProofWay | null>(null);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const ways = waysOf(data);
  const way = ways.find((one) => one === chosen) ?? ways[0] ?? null;

  const withPasskey = async (): Promise<FreshProof | null> => {
    const passkey = await showAsFreshProof();
    if (!passkey) setError(t('passkeys.cancelled'));
    return passkey && { passkey };
  };
  const show = async (): Promise<FreshProof | null> => {
    setError(undefined);
    if (way === 'passkey') return withPasskey();
    if (way !== 'password') return {};
    if (password !== '') return { password };
    setError(t('problem:field.required'));
    return null;
  };
  return {
    way,
    others: ways.filter((one) => one !== way),
    choose: (one) => {
      setError(undefined);
      choose(one);
    },
    password,
    setPassword,
    provider: data.sign_on ?? '',
    signedOnUntil: data.signed_on_until,
    signOn: async () => {
      setError(undefined);
      try {
        leave.inNewTab((await call(proofRoutes.signOn, {})).url);
        setSigningOn(true);
      } catch (refused) {
        setError(problemSentence(refused));
      }
    },
    error,
    show,
    refuse: (refused) => {
      if (!(refused instanceof Problem)) return false;
      const said = refused.fields['password']?.join(' ');
      const isOfProof = said !== undefined || refused.code === 'proof_required';
      if (!isOfProof) return false;
      setError(said ?? refused.detail);
      // What counted when the form was opened does no more.
      void refetch();
      return true;
    },
    forget: () => setPassword(''),
  };
}
