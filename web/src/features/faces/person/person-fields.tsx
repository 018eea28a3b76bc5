import { useTranslation } from '#lib/i18n.ts';
import { NameFields } from '#parts/name-fields.tsx';
import { TextField, TextareaField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';
import { CategoryField } from './category-field.tsx';
import { usePersonField, type PersonFormHandle } from './person-form.ts';

/** Who it is and what they are here as: the least one says of a person. */
export function IdentityFields({ form }: { form: PersonFormHandle }) {
  return (
    <>
      <NameFields field={usePersonField(form)} />
      <CategoryField form={form} />
    </>
  );
}

/** Two columns, one on phones. */
export function PersonFields({ form }: { form: PersonFormHandle }) {
  const { t } = useTranslation();
  const field = usePersonField(form);
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <IdentityFields form={form} />
      <TextField label={t('person.position')} autoComplete="off" {...field('position')} />
      <TextField
        label={t('person.email')}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        {...field('email')}
      />
      <TextField label={t('person.phone')} type="tel" autoComplete="off" {...field('phone')} />
      <TextareaField label={t('person.description')} {...field('description')} />
      <TextareaField label={t('person.notes')} {...field('notes')} />
      <Switch
        label={t('person.active')}
        hint={t('person.activeHint')}
        className="sm:col-span-2"
        {...form.register('is_active')}
      />
    </div>
  );
}
