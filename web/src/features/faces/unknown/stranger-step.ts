import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';

/** What every step of the dialog about a stranger is given. */
export interface StrangerStepProps {
  stranger: UnknownFace;
  /** The stranger as they are after what was said, and what was said. */
  onSaid: (now: UnknownFace, sentence: string) => void;
}
