import { useTranslation } from 'react-i18next';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { Switch } from '#ui/switch.tsx';
import { Textarea } from '#ui/textarea.tsx';
import { CategoryField } from './category-field.tsx';
import { usePersonErrors, type PersonFormHandle } from './person-form.ts';

/** Who it is and what they are here as: the least one says of a person. */
export function NameFields({ form }: { form: PersonFormHandle }) {
  const { t } = useTranslation();
  const error = usePersonErrors(form.formState.errors);
  return (
    <>
      <Field label={t('person.firstName')} error={error('first_name')} required>
        {(attributes) => (
          <Input autoComplete="off" {...attributes} {...form.register('first_name')} />
        )}
      </Field>
      <Field label={t('person.lastName')} error={error('last_name')} required>
        {(attributes) => (
          <Input autoComplete="off" {...attributes} {...form.register('last_name')} />
        )}
      </Field>
      <CategoryField form={form} error={error('category')} />
    </>
  );
}

/** NSH-027: two columns, one on phones. */
export function PersonFields({ form }: { form: PersonFormHandle }) {
  const { t } = useTranslation();
  const error = usePersonErrors(form.formState.errors);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NameFields form={form} />
      <Field label={t('person.position')} error={error('position')}>
        {(attributes) => (
          <Input autoComplete="off" {...attributes} {...form.register('position')} />
        )}
      </Field>
      <Field label={t('person.email')} error={error('email')}>
        {(attributes) => (
          <Input
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            {...attributes}
            {...form.register('email')}
          />
        )}
      </Field>
      <Field label={t('person.phone')} error={error('phone')}>
        {(attributes) => (
          <Input type="tel" autoComplete="off" {...attributes} {...form.register('phone')} />
        )}
      </Field>
      <Field label={t('person.description')} error={error('description')}>
        {(attributes) => <Textarea {...attributes} {...form.register('description')} />}
      </Field>
      <Field label={t('person.notes')} error={error('notes')}>
        {(attributes) => <Textarea {...attributes} {...form.register('notes')} />}
      </Field>
      <Switch
        label={t('person.active')}
        hint={t('person.activeHint')}
        className="sm:col-span-2"
        {...form.register('is_active')}
      />
    </div>
  );
}
