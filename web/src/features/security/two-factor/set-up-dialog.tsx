import { CodeProof, twoFactorRoutes, type TotpSetup } from '@nazar/contract/two-factor.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions, Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-codes.tsx';

interface SetUpProps {
  onClose: () => void;
  /** It is on: the state on the page is an old one. */
  onChanged: () => void;
}

/** SEC-010: the secret, a code of it, and then the recovery codes. */
export function SetUpDialog({ open, ...rest }: SetUpProps & { open: boolean }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onClose={rest.onClose} width="small" title={t('twoFactor.setUpTitle')}>
      {open && <SetUp {...rest} />}
    </Dialog>
  );
}

type Stage =
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly text: string }
  /** The session is too old to be proof enough. */
  | { readonly kind: 'password' }
  | { readonly kind: 'secret'; readonly setup: TotpSetup }
  | { readonly kind: 'codes'; readonly codes: string[] };

function SetUp({ onClose, onChanged }: SetUpProps) {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>({ kind: 'asking' });
  useEffect(() => {
    const stop = new AbortController();
    call(twoFactorRoutes.setUp, { body: {}, signal: stop.signal }).then(
      (setup) => setStage({ kind: 'secret', setup }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const needsPassword = error instanceof Problem && 'password' in error.fields;
        setStage(
          needsPassword ? { kind: 'password' } : { kind: 'failed', text: problemSentence(error) },
        );
      },
    );
    return () => stop.abort();
  }, []);

  if (stage.kind === 'asking') return <Skeleton className="h-72" />;
  if (stage.kind === 'failed') return <Banner tone="error">{stage.text}</Banner>;
  if (stage.kind === 'password') {
    return (
      <PasswordStep onClose={onClose} onSetUp={(setup) => setStage({ kind: 'secret', setup })} />
    );
  }
  if (stage.kind === 'codes') return <RecoveryCodeList codes={stage.codes} onDone={onClose} />;
  return (
    <div className="grid gap-4">
      <p className="text-ui text-muted">{t('twoFactor.scan')}</p>
      <div className="grid justify-items-center gap-3">
        <QrCode text={stage.setup.uri} label={t('twoFactor.qr')} />
        <p className="text-center text-meta text-muted">
          {t('twoFactor.byHand')}
          <span className="mt-1 block font-mono text-ui break-all text-fg select-all">
            {stage.setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </span>
        </p>
      </div>
      <CodeStep
        onClose={onClose}
        onVerified={(codes) => {
          setStage({ kind: 'codes', codes });
          onChanged();
        }}
      />
    </div>
  );
}

const Password = z.object({ password: z.string().check(z.minLength(1), z.maxLength(512)) });

interface PasswordStepProps {
  onClose: () => void;
  onSetUp: (setup: TotpSetup) => void;
}

function PasswordStep({ onClose, onSetUp }: PasswordStepProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(Password, { password: '' });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body) => {
    setRefused(null);
    try {
      onSetUp(await call(twoFactorRoutes.setUp, { body }));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <p className="text-ui text-muted">{t('twoFactor.passwordFirst')}</p>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Field label={t('deleteAccount.password')} error={errors.password?.message} required>
        {(attributes) => (
          <PasswordInput
            autoComplete="current-password"
            {...attributes}
            {...form.register('password')}
          />
        )}
      </Field>
      <Actions className="mt-0">
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" busy={isSubmitting}>
          {t('twoFactor.goOn')}
        </Button>
      </Actions>
    </form>
  );
}

interface CodeStepProps {
  onClose: () => void;
  onVerified: (recoveryCodes: string[]) => void;
}

function CodeStep({ onClose, onVerified }: CodeStepProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(CodeProof, { code: '' });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body) => {
    setRefused(null);
    try {
      onVerified((await call(twoFactorRoutes.verify, { body })).recovery_codes);
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Field label={t('secondStep.code.totp')} error={errors.code?.message} required>
        {(attributes) => (
          <Input
            autoComplete="one-time-code"
            inputMode="numeric"
            {...attributes}
            {...form.register('code')}
          />
        )}
      </Field>
      <Actions className="mt-0">
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" busy={isSubmitting}>
          {t('twoFactor.turnOn')}
        </Button>
      </Actions>
    </form>
  );
}
