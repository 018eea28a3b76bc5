import { CodeProof, type Prove } from '@nazar/contract/two-factor.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { FreshProofFields } from '#parts/fresh-proof-fields.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { useFreshProof } from '#parts/use-fresh-proof.ts';
import { Banner } from '#ui/banner.tsx';
import { TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

const Form = z.object({ code: CodeProof.shape.code });
/** Where no code is asked for. */
const Nothing = z.object({ code: z.string() });

export interface ProveFormProps {
  /** What is being done. */
  action: string;
  look: 'primary' | 'danger';
  onCancel: () => void;
  onProven: (proof: Prove) => Promise<void>;
}

/**
 * Fresh proof and a code, before something that the second factor protects is changed. A passkey as fresh
 * proof is both.
 */
export function ProveForm({ action, look, onCancel, onProven }: ProveFormProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const proof = useFreshProof();
  const isBoth = proof.way === 'passkey';
  const form = useContractForm(isBoth ? Nothing : Form, { code: '' });
  const { isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (second) => {
    setRefused(null);
    try {
      const shown = await proof.show();
      if (shown) await onProven(isBoth ? shown : { ...shown, ...second });
    } catch (error) {
      if (!proof.refuse(error)) setRefused(showProblem(form, error));
    }
  });

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <FreshProofFields proof={proof} />
      {!isBoth && (
        <TextField
          label={t('twoFactor.anyCode')}
          hint={t('twoFactor.anyCodeHint')}
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('code')}
        />
      )}
      <FormActions
        label={action}
        look={look}
        busy={isSubmitting}
        onCancel={onCancel}
        className="mt-0"
      />
    </form>
  );
}
