import { CodeProof, twoFactorRoutes, type TotpSetup } from '@nazar/contract/two-factor.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { ProofForm } from '#parts/proof-form.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-codes.tsx';

interface SetUpProps {
  onClose: () => void;
  /** It is on: the state on the page is an old one. */
  onChanged: () => void;
}

/** The secret, a code of it, and then the recovery codes. */
export interface SetUpDialogProps extends SetUpProps {
  open: boolean;
}

export function SetUpDialog({ open, ...rest }: SetUpDialogProps) {
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
  | { readonly kind: 'proof' }
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
        const needsProof = error instanceof Problem && error.code === 'proof_required';
        setStage(needsProof ? { kind: 'proof' } : { kind: 'failed', text: problemSentence(error) });
      },
    );
    return () => stop.abort();
  }, []);

  if (stage.kind === 'asking') return <Skeleton className="h-72" />;
  if (stage.kind === 'failed') return <Banner tone="error">{stage.text}</Banner>;
  if (stage.kind === 'proof') {
    return (
      <div className="grid gap-4">
        <p className="text-ui text-muted">{t('twoFactor.proveFirst')}</p>
        <ProofForm
          action={t('twoFactor.goOn')}
          onCancel={onClose}
          onProven={async (body) =>
            setStage({ kind: 'secret', setup: await call(twoFactorRoutes.setUp, { body }) })
          }
        />
      </div>
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

interface CodeStepProps {
  onClose: () => void;
  onVerified: (recoveryCodes: string[]) => void;
}

function CodeStep({ onClose, onVerified }: CodeStepProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(CodeProof, { code: '' });
  const { isSubmitting } = form.formState;
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
      <TextField
        label={t('secondStep.code.totp')}
        required
        autoComplete="one-time-code"
        inputMode="numeric"
        {...form.field('code')}
      />
      <FormActions
        label={t('twoFactor.turnOn')}
        busy={isSubmitting}
        onCancel={onClose}
        className="mt-0"
      />
    </form>
  );
}
