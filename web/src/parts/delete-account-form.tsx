import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { deleteAccount } from '#api/session.ts';
import { TextField } from '#ui/fields.tsx';
import { ProofForm } from './proof-form.tsx';

/** Typed exactly so, in every language. */
const WORD = 'DELETE';

/** Forgets what was typed when the modal closes. */
export function DeleteAccountForm({ onClose }: { onClose: () => void }) {
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
