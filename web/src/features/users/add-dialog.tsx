import { CreateUser, type CreatedUser } from '@nazar/contract/users.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useUser } from '#api/session.ts';
import { NameFields } from '#parts/name-fields.tsx';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { LinkBox } from './link-box.tsx';
import { fullName, rolesToGive, useAddUser } from './queries.ts';

/** A new user gets a link and chooses their own password. */
export interface AddDialogProps {
  onClose: () => void;
}

export function AddDialog({ onClose }: AddDialogProps) {
  const { t } = useTranslation();
  const [added, setAdded] = useState<CreatedUser | null>(null);
  const name = added === null ? '' : fullName(added);
  return (
    <Dialog
      open
      onClose={onClose}
      title={added === null ? t('users.add') : t('users.added', { name })}
      {...(added === null && { description: t('users.addText') })}
    >
      {added === null ? (
        <AddForm onClose={onClose} onAdded={setAdded} />
      ) : (
        <>
          <LinkBox link={added.link} email={added.email} />
          <Actions>
            <Button onClick={onClose}>{t('ui.close')}</Button>
          </Actions>
        </>
      )}
    </Dialog>
  );
}

interface AddFormProps {
  onClose: () => void;
  onAdded: (user: CreatedUser) => void;
}

function AddForm({ onClose, onAdded }: AddFormProps) {
  const { t } = useTranslation();
  const me = useUser();
  const add = useAddUser();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(CreateUser, {
    first_name: '',
    last_name: '',
    email: '',
    role: 'user',
  });
  const submit = form.handleSubmit(async (fields) => {
    setRefused(null);
    try {
      onAdded(await add.mutateAsync(fields));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4 sm:grid-cols-2"
      onSubmit={(event) => void submit(event)}
    >
      {refused !== null && (
        <div className="sm:col-span-2">
          <Banner tone="error">{refused}</Banner>
        </div>
      )}
      <NameFields field={form.field} />
      <TextField
        label={t('login.email')}
        required
        type="email"
        autoComplete="off"
        {...form.field('email')}
      />
      <SelectField
        label={t('users.role')}
        options={rolesToGive(me).map((value) => ({ value, label: t(`users.roles.${value}`) }))}
        {...form.field('role')}
      />
      <FormActions
        label={t('users.invite')}
        busy={add.isPending}
        onCancel={onClose}
        className="mt-0 sm:col-span-2"
      />
    </form>
  );
}
