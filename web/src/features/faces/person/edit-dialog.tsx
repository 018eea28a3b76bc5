import { faceRoutes, type Face } from '@nazar/contract/faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { showProblem } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { useFace } from '../queries.ts';
import { fullName } from '../recognition.ts';
import { KeptPhotos } from './kept-photos.tsx';
import { PersonFields } from './person-fields.tsx';
import { personOf, usePersonForm, type PersonOutput } from './person-form.ts';

export interface EditDialogProps {
  face: Face;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

export function EditDialog({ face: known, onClose, onDone }: EditDialogProps) {
  const { t } = useTranslation();
  const face = useFace(known);
  const form = usePersonForm(personOf(known));
  const [refused, setRefused] = useState<string | null>(null);
  const change = useChange('faces', (fields: PersonOutput) =>
    call(faceRoutes.change, { params: { id: known.id }, body: fields }),
  );

  const submit = form.handleSubmit(async (fields) => {
    setRefused(null);
    try {
      onDone(t('faces.changed', { name: fullName(await change.mutateAsync(fields)) }));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });

  return (
    <Dialog open width="large" title={t('faces.edit', { name: fullName(face) })} onClose={onClose}>
      <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
        <KeptPhotos face={face} />
        <PersonFields form={form} />
        {refused !== null && <Banner tone="error">{refused}</Banner>}
        <FormActions
          label={t('ui.save')}
          busy={change.isPending}
          onCancel={onClose}
          className="mt-0"
        />
      </form>
    </Dialog>
  );
}
