import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields.tsx';
import { categoriesQuery } from '../queries.ts';
import { NewCategory } from './new-category.tsx';
import { usePersonErrors, type PersonFormHandle } from './person-form.ts';

/** A category of the list; administrators may add one on the way. */
export function CategoryField({ form }: { form: PersonFormHandle }) {
  const { t } = useTranslation();
  const user = useUser();
  const categories = useQuery(categoriesQuery());
  const categoryName = useCategoryName();
  const [adding, setAdding] = useState(false);
  // Controlled: the list of options may come after the value.
  const { field } = useController({ control: form.control, name: 'category' });
  const error = usePersonErrors(form);
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
    <SelectField
      label={t('person.category')}
      error={error('category')}
      required
      hint={
        isAdministrator(user) && (
          <Button look="link" className="text-meta" onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            {t('category.new')}
          </Button>
        )
      }
      options={[
        { value: '', label: t('category.choose'), disabled: true },
        ...(known ?? []).map(({ id, name }) => ({ value: id, label: categoryName(name) })),
      ]}
      {...field}
    />
  );
}
