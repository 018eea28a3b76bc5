import { NewPasskey, passkeyRoutes } from '@nazar/contract/passkeys.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { makePasskey } from '#api/passkeys.ts';
import { Problem } from '#api/problem.ts';
import { FreshProofFields } from '#parts/fresh-proof-fields.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { useFreshProof } from '#parts/use-fresh-proof.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { RecoveryCodeList } from './recovery-codes.tsx';

const Form = z.object({ name: NewPasskey.shape.name });

interface AddProps {
  onClose: () => void;
  onAdded: () => void;
}

export function AddPasskeyDialog({ open, ...rest }: AddProps & { open: boolean }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onClose={rest.onClose} width="small" title={t('passkeys.addTitle')}>
      {open && <AddPasskey {...rest} />}
    </Dialog>
  );
}

function AddPasskey({ onClose, onAdded }: AddProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const proof = useFreshProof();
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useContractForm(Form, { name: '' });
  const { isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name }) => {
    setRefused(null);
    try {
      const shown = await proof.show();
      if (!shown) return;
      const passkey = await makePasskey(shown);
      if (!passkey) {
        setRefused(t('passkeys.cancelled'));
        return;
      }
      const added = await call(passkeyRoutes.add, { body: { name, passkey } });
      onAdded();
      if (added.recovery_codes) setCodes(added.recovery_codes);
      else onClose();
    } catch (error) {
      if (proof.refuse(error)) return;
      setRefused(
        error instanceof Error && !(error instanceof Problem)
          ? t('passkeys.failed')
          : showProblem(form, error),
      );
    }
  });

  if (codes) return <RecoveryCodeList codes={codes} onDone={onClose} />;
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <p className="text-ui text-muted">{t('passkeys.addText')}</p>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <TextField
        label={t('passkeys.name')}
        hint={t('passkeys.nameHint')}
        required
        autoComplete="off"
        {...form.field('name')}
      />
      <FreshProofFields proof={proof} />
      <FormActions
        label={t('passkeys.add')}
        busy={isSubmitting}
        onCancel={onClose}
        className="mt-0"
      />
    </form>
  );
}
