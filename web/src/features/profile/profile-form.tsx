import type { User } from '@nazar/contract/accounts.ts';
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { showUser } from '#api/session.ts';
import { FormDate } from '#parts/form-date.tsx';
import { FreshProofFields } from '#parts/fresh-proof-fields.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { useFreshProof } from '#parts/use-fresh-proof.ts';
import { Banner } from '#ui/banner.tsx';
import { TextField, TextareaField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

/** Lets a button outside the form send it. */
export const profileFormId = 'profile-form';

/** The server alone says what it cannot take, and that is shown at the field. */
const Form = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  department: z.string(),
  position: z.string(),
  address: z.string(),
  birthdate: z.string(),
  bio: z.string(),
});

const lines = [
  { name: 'first_name', label: 'person.firstName', type: 'text' },
  { name: 'last_name', label: 'person.lastName', type: 'text' },
  { name: 'email', label: 'login.email', type: 'email' },
  { name: 'phone', label: 'person.phone', type: 'tel' },
  { name: 'department', label: 'profile.department', type: 'text' },
  { name: 'position', label: 'person.position', type: 'text' },
  { name: 'address', label: 'profile.address', type: 'text' },
] as const;

export interface ProfileFormProps {
  user: User;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

export function ProfileForm({ user, onBusy, onCancel, onSaved }: ProfileFormProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const { first_name, last_name, email, phone, department, position, address, bio } = user;
  const form = useContractForm(Form, {
    first_name,
    last_name,
    email,
    phone,
    department,
    position,
    address,
    bio,
    birthdate: user.birthdate ?? '',
  });
  const proof = useFreshProof();
  const { isSubmitting } = form.formState;
  const movesEmail = form.watch('email').trim().toLowerCase() !== user.email;

  const submit = form.handleSubmit(async ({ birthdate, ...rest }) => {
    setRefused(null);
    onBusy(true);
    try {
      const body = { ...rest, birthdate: birthdate === '' ? null : birthdate };
      const shown = movesEmail ? await proof.show() : {};
      if (!shown) return;
      showUser(await call(ownAccountRoutes.updateMe, { body: { ...body, ...shown } }));
      onSaved();
    } catch (error) {
      if (!proof.refuse(error)) setRefused(showProblem(form, error));
    } finally {
      onBusy(false);
    }
  });

  return (
    <form
      id={profileFormId}
      noValidate
      className="grid grid-cols-1 gap-4 sm:grid-cols-2"
      onSubmit={(event) => void submit(event)}
    >
      {refused !== null && (
        <div className="sm:col-span-2">
          <Banner tone="error">{refused}</Banner>
        </div>
      )}
      {lines.map(({ name, label, type }) => (
        <TextField key={name} label={t(label)} type={type} {...form.field(name)} />
      ))}
      <FormDate form={form} name="birthdate" label={t('profile.birthdate')} />
      {movesEmail && (
        <FreshProofFields
          proof={proof}
          label={t('profile.currentPassword')}
          hint={t('profile.emailPassword')}
          className="sm:col-span-2"
        />
      )}
      <TextareaField
        label={t('profile.bio')}
        className="sm:col-span-2"
        rows={4}
        {...form.field('bio')}
      />
      <FormActions
        label={t('profile.saveChanges')}
        busy={isSubmitting}
        onCancel={onCancel}
        className="mt-2 sm:col-span-2"
      />
    </form>
  );
}
