import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { categoriesQuery } from '../queries.ts';
import { NewCategory } from './new-category.tsx';
import type { PersonFormHandle } from './person-form.ts';

export interface CategoryFieldProps {
  form: PersonFormHandle;
  error: string | undefined;
}

/** A category of the list; administrators may add one on the way (FACE-064). */
export function CategoryField({ form, error }: CategoryFieldProps) {
  const { t } = useTranslation();
  const user = useUser();
  const categories = useQuery(categoriesQuery());
  const [adding, setAdding] = useState(false);
  // Controlled: the list of options may come after the value.
  const { field } = useController({ control: form.control, name: 'category' });
  const known = categories.data?.results;
  if (adding) {
    return (
      <NewCategory
        onCancel={() => setAdding(false)}
        onAdded={(category) => {
          form.setValue('category', category.id, { shouldValidate: true, shouldDirty: true });
          setAdding(false);
        }}
      />
    );
  }
  return (
    <Field
      label={t('person.category')}
      error={error}
      required
      hint={
        isAdministrator(user) && (
          <Button look="link" className="text-meta" onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            {t('category.new')}
          </Button>
        )
      }
    >
      {(attributes) => (
        <Select
          options={[
            { value: '', label: t('category.choose'), disabled: true },
            ...(known ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...attributes}
          {...field}
        />
      )}
    </Field>
  );
}
