import {
  CreateApiKey,
  keyLifetimeDays,
  ownSecurityRoutes,
  type CreatedApiKey,
} from '@nazar/contract/own-security.ts';
import { keyScopes, type KeyScope } from '@nazar/contract/route.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { refresh } from '#api/query.ts';
import { FreshProofFields } from '#parts/fresh-proof-fields.tsx';
import { MadeSecret } from '#parts/made-secret.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { useFreshProof } from '#parts/use-fresh-proof.ts';
import { Banner } from '#ui/banner.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

const empty = {
  name: '',
  scopes: [] as KeyScope[],
  expires_in_days: keyLifetimeDays.usual as number,
};

/** Asks what a key is for, and then shows it this once. */
export interface CreateKeyDialogProps {
  open: boolean;
  onClose: () => void;
}

export function CreateKeyDialog({ open, onClose }: CreateKeyDialogProps) {
  const { t } = useTranslation();
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const close = (): void => {
    onClose();
    setMade(null);
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={made === null ? t('keys.add') : t('keys.created', { name: made.name })}
    >
      {made === null ? (
        <CreateForm onMade={setMade} onCancel={close} />
      ) : (
        <MadeSecret text={t('keys.once')} label={t('keys.key')} value={made.key} onDone={close} />
      )}
    </Dialog>
  );
}

interface CreateFormProps {
  onMade: (key: CreatedApiKey) => void;
  onCancel: () => void;
}

function CreateForm({ onMade, onCancel }: CreateFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(CreateApiKey, empty);
  const { errors, isSubmitting } = form.formState;
  const proof = useFreshProof();
  const submit = form.handleSubmit(async (asked) => {
    setRefused(null);
    try {
      const shown = await proof.show();
      if (!shown) return;
      const body = { ...asked, ...shown };
      onMade(await call(ownSecurityRoutes.createKey, { body }));
      await refresh(client, 'account');
    } catch (error) {
      if (!proof.refuse(error)) setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <TextField
        label={t('keys.name')}
        hint={t('keys.nameHint')}
        required
        autoComplete="off"
        {...form.field('name')}
      />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 text-ui font-medium">{t('keys.scopes')}</legend>
        <div className="grid grid-cols-1 gap-1 sm:grid-cols-2">
          {keyScopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={t(`keys.scope.${scope}`)}
              {...form.register('scopes')}
            />
          ))}
        </div>
        {errors.scopes !== undefined && (
          <p role="alert" className="text-meta text-danger-text">
            {t('keys.scopesMissing')}
          </p>
        )}
      </fieldset>
      <TextField
        label={t('keys.days')}
        required
        type="number"
        min={1}
        max={keyLifetimeDays.max}
        {...form.field('expires_in_days', { valueAsNumber: true })}
      />
      <FreshProofFields proof={proof} />
      <FormActions label={t('keys.create')} busy={isSubmitting} onCancel={onCancel} />
    </form>
  );
}
