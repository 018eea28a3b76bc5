import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteAccount } from '#api/session.ts';
import { Dialog } from '#ui/dialog.tsx';
import { TextField } from '#ui/fields.tsx';
import { ProofForm } from './proof-form.tsx';

/** SES-027: typed exactly so, in every language. */
const WORD = 'DELETE';

/** CFL-010: the one modal of the avatar menu, the profile and the security page. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width="small"
      title={t('deleteAccount.action')}
      description={t('deleteAccount.text')}
    >
      {open && <DeleteAccountForm onClose={onClose} />}
    </Dialog>
  );
}

/** Forgets what was typed when the modal closes. */
function DeleteAccountForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [word, setWord] = useState('');
  return (
    <ProofForm
      danger
      action={t('deleteAccount.action')}
      obstacle={() => (word === WORD ? null : t('deleteAccount.wrongWord'))}
      onCancel={onClose}
      onProven={deleteAccount}
    >
      <TextField
        label={t('deleteAccount.word')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={word}
        onChange={(event) => setWord(event.target.value)}
      />
    </ProofForm>
  );
}
