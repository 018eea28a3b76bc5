import {
  ConsentFields,
  consentBases,
  privacyRoutes,
  type Consent,
} from '@nazar/contract/privacy.ts';
import type { Face } from '@nazar/contract/faces.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { FormDate } from '#parts/form-date.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { consentQuery } from '../queries.ts';
import { fullName } from '../recognition.ts';

export interface ConsentDialogProps {
  face: Face;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

export function ConsentDialog({ face, onClose, onDone }: ConsentDialogProps) {
  const { t } = useTranslation();
  const consent = useQuery(consentQuery(face.id));
  return (
    <Dialog open title={t('consent.titleOf', { name: fullName(face) })} onClose={onClose}>
      <QueryView query={consent} skeleton={<Skeleton className="h-64" />}>
        {(known) => <ConsentForm face={face} known={known} onClose={onClose} onDone={onDone} />}
      </QueryView>
    </Dialog>
  );
}

function ConsentForm({ face, known, onClose, onDone }: ConsentDialogProps & { known: Consent }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const { basis, obtained_at, expires_at, document } = known;
  const form = useContractForm(ConsentFields, { basis, obtained_at, expires_at, document });
  const { isSubmitting } = form.formState;
  const save = useChange('faces', (body: ConsentFields) =>
    call(privacyRoutes.recordConsent, { params: { id: face.id }, body }),
  );
  const submit = form.handleSubmit(async (values) => {
    setRefused(null);
    try {
      await save.mutateAsync(values);
      onDone(t('consent.saved'));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  const hasBasis = form.watch('basis') !== 'not_recorded';
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <SelectField
        label={t('consent.title')}
        {...form.field('basis')}
        options={consentBases.map((value) => ({ value, label: t(`consent.basis.${value}`) }))}
      />
      {hasBasis && (
        <>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            {(['obtained_at', 'expires_at'] as const).map((name) => (
              <FormDate
                key={name}
                form={form}
                name={name}
                none={null}
                label={t(`consent.${name}`)}
                hint={t(`consent.${name}_hint`)}
              />
            ))}
          </div>
          <TextField
            label={t('consent.document')}
            hint={t('consent.documentHint')}
            {...form.field('document')}
          />
        </>
      )}
      <FormActions label={t('consent.save')} busy={isSubmitting} onCancel={onClose} />
    </form>
  );
}
