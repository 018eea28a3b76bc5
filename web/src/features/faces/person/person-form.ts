/** The fields of a person as the forms hold them; the limits are the contract's. */
import { FaceFields, type Face } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { useContractForm, type ContractForm } from '#parts/use-contract-form.ts';

export const PersonForm = z.omit(FaceFields, { sighting: true, face_index: true });
export type PersonInput = z.input<typeof PersonForm>;
export type PersonOutput = z.output<typeof PersonForm>;
export type PersonFormHandle = ContractForm<PersonInput, PersonOutput>;

export const emptyPerson = {
  first_name: '',
  last_name: '',
  category: '',
  position: '',
  email: '',
  phone: '',
  description: '',
  notes: '',
  is_active: true,
};

export function personOf(face: Face): typeof emptyPerson {
  const { first_name, last_name, category, position, email, phone, description, notes } = face;
  return {
    first_name,
    last_name,
    category,
    position,
    email,
    phone,
    description,
    notes,
    is_active: face.is_active,
  };
}

export const usePersonForm = (values: typeof emptyPerson): PersonFormHandle =>
  useContractForm(PersonForm, values);

/** What is wrong with a field, in the words that the documents state where they have some. */
export function usePersonErrors(
  form: PersonFormHandle,
): (name: keyof PersonInput) => string | undefined {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (name) => {
    const error = errors[name];
    if (error === undefined || error.type === 'server') return error?.message;
    if (name === 'email' && error.type !== 'too_long') return t('person.invalidEmail');
    if (error.type !== 'required') return error.message;
    if (name === 'first_name') return t('person.firstNameRequired');
    if (name === 'last_name') return t('person.lastNameRequired');
    return name === 'category' ? t('person.categoryRequired') : error.message;
  };
}

export function usePersonField(form: PersonFormHandle): PersonFormHandle['field'] {
  const error = usePersonErrors(form);
  return (name, options) => ({ ...form.field(name, options), error: error(name) });
}
