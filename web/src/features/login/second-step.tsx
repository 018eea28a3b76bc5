import type { SecondFactor, TwoFactorRequired } from '@nazar/contract/accounts.ts';
import { CodeProof } from '@nazar/contract/two-factor.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { passkeyObstacle, showForSecondStep } from '#api/passkeys.ts';
import { signInWithProof } from '#api/session.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields.tsx';

export interface SecondStepProps {
  required: TwoFactorRequired;
  /** The challenge is over: another password is needed. */
  onExpired: () => void;
  onBack: () => void;
}

/** What is asked for after the password. */
export function SecondStep({ required, onExpired, onBack }: SecondStepProps) {
  const { t } = useTranslation();
  useDocumentTitle(t('secondStep.title'));
  const { methods } = required;
  const [method, setMethod] = useState<SecondFactor | undefined>(methods[0]);
  const others = methods.filter((other) => other !== method);
  return (
    <>
      <h1 className="text-title font-semibold tracking-tight">{t('secondStep.title')}</h1>
      {method === undefined && (
        <p className="mt-1 text-ui text-muted">{t('secondStep.nothingLeft')}</p>
      )}
      {(method === 'totp' || method === 'recovery') && (
        <CodeForm
          key={method}
          method={method}
          challenge={required.challenge}
          onExpired={onExpired}
        />
      )}
      {method === 'passkey' && <PasskeyStep challenge={required.challenge} onExpired={onExpired} />}
      <div className="mt-6 grid justify-items-center gap-2">
        {others.map((other) => (
          <Button key={other} look="link" onClick={() => setMethod(other)}>
            {t(`secondStep.use.${other}`)}
          </Button>
        ))}
        <Button look="link" onClick={onBack}>
          {t('secondStep.back')}
        </Button>
      </div>
    </>
  );
}

interface CodeFormProps {
  method: 'totp' | 'recovery';
  challenge: string;
  onExpired: () => void;
}

function PasskeyStep({ challenge, onExpired }: Omit<CodeFormProps, 'method'>) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const obstacle = passkeyObstacle();

  const show = async (): Promise<void> => {
    setRefused(null);
    setBusy(true);
    try {
      const passkey = await showForSecondStep(challenge);
      if (!passkey) setRefused(t('passkeys.cancelled'));
      else await signInWithProof(challenge, { passkey });
    } catch (error) {
      if (error instanceof Problem && error.code === 'challenge_invalid') return onExpired();
      setRefused(error instanceof Problem ? problemSentence(error) : t('passkeys.failed'));
    }
    setBusy(false);
  };

  return (
    <>
      <p className="mt-1 text-ui text-muted">{t('secondStep.text.passkey')}</p>
      <div className="mt-6 grid gap-4">
        {refused !== null && <Banner tone="error">{refused}</Banner>}
        {obstacle === null ? (
          <Button size="large" busy={busy} className="w-full" onClick={() => void show()}>
            {t('secondStep.use.passkey')}
          </Button>
        ) : (
          <p className="text-ui font-medium">{t(`passkeys.obstacle.${obstacle}`)}</p>
        )}
      </div>
    </>
  );
}

function CodeForm({ method, challenge, onExpired }: CodeFormProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(CodeProof, { code: '' });
  const { isSubmitting } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);

  const submit = form.handleSubmit(async ({ code }) => {
    setRefused(null);
    try {
      await signInWithProof(challenge, { code });
    } catch (error) {
      if (error instanceof Problem && error.code === 'challenge_invalid') onExpired();
      else setRefused(showProblem(form, error));
    }
  });

  const isTotp = method === 'totp';
  return (
    <>
      <p className="mt-1 text-ui text-muted">{t(`secondStep.text.${method}`)}</p>
      <form noValidate className="mt-6 grid gap-4" onSubmit={(event) => void submit(event)}>
        {refused !== null && <Banner tone="error">{refused}</Banner>}
        <TextField
          label={t(`secondStep.code.${method}`)}
          required
          autoComplete={isTotp ? 'one-time-code' : 'off'}
          inputMode={isTotp ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('code')}
        />
        <Button type="submit" size="large" busy={isSubmitting} className="mt-1 w-full">
          {isSubmitting ? t('login.submitting') : t('login.submit')}
        </Button>
      </form>
    </>
  );
}
