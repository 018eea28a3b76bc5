import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

interface AskingButtonProps {
  look: 'secondary' | 'danger';
  /** The label of the button and of the one that confirms. */
  label: string;
  title: string;
  /** Names all that goes with it. */
  text: string;
  /** How far it is. */
  deed: { readonly isPending: boolean; readonly isError: boolean; readonly error: unknown };
  onConfirm: (onSuccess: () => void) => void;
  onDone: () => void;
}

/** What is done to a user's account, after a question; what the server refuses stands in the question. */
export function AskingButton({ look, label, title, text, deed, ...rest }: AskingButtonProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button look={look} onClick={() => setAsks(true)}>
        {label}
      </Button>
      <AlertDialog
        open={asks}
        title={title}
        description={text}
        confirmLabel={label}
        danger
        busy={deed.isPending}
        error={deed.isError ? <Banner tone="error">{problemSentence(deed.error)}</Banner> : null}
        onConfirm={() =>
          rest.onConfirm(() => {
            setAsks(false);
            rest.onDone();
          })
        }
        onClose={() => setAsks(false)}
      />
    </>
  );
}
