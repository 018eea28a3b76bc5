import { NewPasskey, passkeyRoutes, type Passkey } from '@nazar/contract/passkeys.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

const Form = z.object({ name: NewPasskey.shape.name });

interface RenameProps {
  passkey: Passkey | null;
  onClose: () => void;
  onRenamed: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose, onRenamed }: RenameProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={passkey !== null}
      onClose={onClose}
      width="small"
      title={t('passkeys.renameTitle')}
    >
      {passkey && <RenameForm passkey={passkey} onClose={onClose} onRenamed={onRenamed} />}
    </Dialog>
  );
}

function RenameForm({ passkey, onClose, onRenamed }: RenameProps & { passkey: Passkey }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(Form, { name: passkey.name });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body) => {
    setRefused(null);
    try {
      await call(passkeyRoutes.rename, { params: { id: passkey.id }, body });
      onRenamed();
      onClose();
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <TextField label={t('passkeys.name')} required autoComplete="off" {...form.field('name')} />
      <FormActions
        label={t('passkeys.rename')}
        busy={isSubmitting}
        onCancel={onClose}
        className="mt-0"
      />
    </form>
  );
}
