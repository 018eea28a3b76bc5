import { ProofForm, type ProofFormProps } from '#parts/proof-form.tsx';
import { Dialog } from '#ui/dialog.tsx';

export interface ProofDialogProps extends Pick<
  ProofFormProps,
  'danger' | 'onProven' | 'obstacle' | 'children'
> {
  title: string;
  text: string;
  confirmLabel: string;
  onClose: () => void;
}

/** Before what cannot be undone, and before what leaves the house. */
export function ProofDialog({ title, text, confirmLabel, onClose, ...rest }: ProofDialogProps) {
  return (
    <Dialog open width="medium" title={title} description={text} onClose={onClose}>
      <ProofForm action={confirmLabel} onCancel={onClose} {...rest} />
    </Dialog>
  );
}
