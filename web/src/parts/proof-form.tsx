import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { problemSentence } from '#api/problem.ts';
import { Banner } from '#ui/banner.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { FreshProofFields } from './fresh-proof-fields.tsx';
import { useFreshProof } from './use-fresh-proof.ts';

export interface ProofFormProps {
  /** What is being done. */
  action: string;
  danger?: boolean;
  /** What is asked above the proof. */
  children?: ReactNode;
  /** Why it cannot be sent like this; null: it can. */
  obstacle?: () => string | null;
  onCancel: () => void;
  /** Rejects with what the server refused. */
  onProven: (proof: FreshProof) => Promise<void>;
}

/** Fresh proof, before something that a copied session must not do; what was typed goes with the form. */
export function ProofForm({
  action,
  danger = false,
  children,
  obstacle = () => null,
  onCancel,
  onProven,
}: ProofFormProps) {
  const proof = useFreshProof();
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const why = obstacle();
    setRefused(why);
    if (why !== null) return;
    setBusy(true);
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
      {children}
      <FreshProofFields proof={proof} />
      <FormActions
        label={action}
        look={danger ? 'danger' : 'primary'}
        busy={busy}
        onCancel={onCancel}
      />
    </form>
  );
}
