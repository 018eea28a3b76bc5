import { faceRoutes, type EnrolledFace } from '@nazar/contract/faces.ts';
import { Id, requiredText } from '@nazar/contract/fields.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { retryWhileBusy } from '#api/busy.ts';
import { call } from '#api/call.ts';
import { ask, useChange } from '#api/query.ts';
import { appendPhotos, type ChosenFile } from '#parts/chosen-file.ts';
import { PhotoInput } from '#parts/photo-input.tsx';
import { SendingProblem, type SendingProblemProps } from '#parts/refused-photos.tsx';
import { NameFields } from '#parts/name-fields.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { SelectField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

const FirstFace = z.object({
  first_name: requiredText(150),
  last_name: requiredText(150),
  category: Id,
});

interface NewFace extends z.output<typeof FirstFace> {
  photos: readonly ChosenFile[];
}

function addFace({ photos, ...fields }: NewFace): Promise<EnrolledFace> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  appendPhotos(form, photos);
  return retryWhileBusy(() => call(faceRoutes.add, { form }));
}

export function FaceForm({
  onAdded,
  onSkip,
}: {
  onAdded: (face: EnrolledFace) => void;
  onSkip: () => void;
}) {
  const { t } = useTranslation();
  const [photos, setPhotos] = useState<readonly ChosenFile[]>([]);
  const [failure, setFailure] = useState<SendingProblemProps | null>(null);
  const categoryName = useCategoryName();
  const categories = useQuery(ask('faces', faceRoutes.categories, {}));
  const form = useContractForm(FirstFace, { first_name: '', last_name: '', category: '' });
  const add = useChange('faces', addFace);
  const { isSubmitted } = form.formState;
  const noPhoto = isSubmitted && photos.length === 0;

  const first = categories.data?.results[0]?.id;
  useEffect(() => {
    if (first !== undefined && form.getValues('category') === '') form.setValue('category', first);
  }, [first, form]);

  const submit = form.handleSubmit(async (values) => {
    if (photos.length === 0) return;
    setFailure(null);
    try {
      onAdded(await add.mutateAsync({ ...values, photos }));
    } catch (error) {
      setFailure({ error, sentence: showProblem(form, error) });
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {failure !== null && (
          <div className="sm:col-span-2">
            <SendingProblem {...failure} />
          </div>
        )}
        <div className="sm:col-span-2">
          <PhotoInput
            photos={photos}
            onChange={setPhotos}
            error={noPhoto ? t('setup.photoRequired') : undefined}
          />
        </div>
        <NameFields field={form.field} />
        <SelectField
          label={t('person.category')}
          required
          className="sm:col-span-2"
          options={(categories.data?.results ?? []).map((category) => ({
            value: category.id,
            label: categoryName(category.name),
          }))}
          {...form.field('category')}
        />
      </div>
      <FormActions
        label={t('setup.addFace')}
        busy={add.isPending}
        onCancel={onSkip}
        cancelLabel={t('setup.skip')}
      />
    </form>
  );
}
