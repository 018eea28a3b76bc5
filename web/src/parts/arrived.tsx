/** Rows of a list wait to be shown, because they would move what is read. */
import { ArrowUp } from 'lucide-react';
import { Button } from '#ui/button.tsx';

export interface ArrivedProps {
  /** Says what waits; null: nothing does. */
  text: string | null;
  onShow: () => void;
}

export function Arrived({ text, onShow }: ArrivedProps) {
  return (
    // The live region stands before its words do: some readers announce only what changes inside one.
    <output className="block empty:hidden">
      {text !== null && (
        <Button look="secondary" className="w-full" onClick={onShow}>
          <ArrowUp aria-hidden />
          {text}
        </Button>
      )}
    </output>
  );
}
