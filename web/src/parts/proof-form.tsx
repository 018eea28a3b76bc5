import { useState, type SubmitEvent } from 'react';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { useTranslation } from 'react-i18next';
import { problemSentence } from '#api/problem.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions } from '#ui/dialog.tsx';
import { FreshProofFields } from './fresh-proof-fields.tsx';
import { useFreshProof } from './use-fresh-proof.ts';

export interface ProofFormProps {
  /** What is being done. */
  action: string;
  danger?: boolean;
  onCancel: () => void;
  /** Rejects with what the server refused. */
  onProven: (proof: FreshProof) => Promise<void>;
}

/** Fresh proof, and nothing else; what was typed goes with the form. */
export function ProofForm({ action, danger = false, onCancel, onProven }: ProofFormProps) {
  const { t } = useTranslation();
  const proof = useFreshProof();
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      const shown = await proof.show();
      if (shown) await onProven(shown);
    } catch (error) {
      if (!proof.refuse(error)) setRefused(problemSentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <FreshProofFields proof={proof} />
      <Actions>
        <Button look="secondary" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
}
