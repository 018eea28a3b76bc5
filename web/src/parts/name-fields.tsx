import { useTranslation } from '#lib/i18n.ts';
import { TextField } from '#ui/fields.tsx';
import type { FieldBinding } from './use-contract-form.ts';

export interface NameFieldsProps {
  /** The form's, or one that reports errors in words of its own. */
  field: (name: 'first_name' | 'last_name') => FieldBinding;
  /** The reader's own name, which the browser may fill in; it must not fill in the name of another person. */
  own?: boolean;
}

/** First and last name, each of which a person must have. */
export function NameFields({ field, own = false }: NameFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('person.firstName')}
        required
        autoComplete={own ? 'given-name' : 'off'}
        {...field('first_name')}
      />
      <TextField
        label={t('person.lastName')}
        required
        autoComplete={own ? 'family-name' : 'off'}
        {...field('last_name')}
      />
    </>
  );
}
