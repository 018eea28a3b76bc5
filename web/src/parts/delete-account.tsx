import { useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { problemSentence } from '#api/problem.ts';
import { deleteAccount } from '#api/session.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions, Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { FreshProofFields } from './fresh-proof-fields.tsx';
import { useFreshProof } from './use-fresh-proof.ts';

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
  const proof = useFreshProof();
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (word !== WORD) {
      setRefused(t('deleteAccount.wrongWord'));
      return;
    }
    setBusy(true);
    setRefused(null);
    try {
      const shown = await proof.show();
      if (shown) await deleteAccount(shown);
    } catch (error) {
      if (!proof.refuse(error)) setRefused(problemSentence(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Field label={t('deleteAccount.word')} required>
        {(attributes) => (
          <Input
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={word}
            onChange={(event) => setWord(event.target.value)}
            {...attributes}
          />
        )}
      </Field>
      <FreshProofFields proof={proof} />
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" look="danger" busy={busy}>
          {t('deleteAccount.action')}
        </Button>
      </Actions>
    </form>
  );
}
