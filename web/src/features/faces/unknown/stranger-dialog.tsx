import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Dialog } from '#ui/dialog.tsx';
import { IdentifyForm } from './identify-form.tsx';
import { MergeForm } from './merge-form.tsx';
import { StrangerFacts } from './stranger-facts.tsx';

export interface StrangerDialogProps {
  stranger: UnknownFace;
  onClose: () => void;
  /** A decision about them was made, in a sentence; the dialog goes on with the person they are now. */
  onSaid: (sentence: string) => void;
  /** A link of it leads away; absent: the address alone says that it is open. */
  onLeave?: () => void;
}

/** Who is it, is it the same as another, and which visits are another person's. */
export function StrangerDialog({ stranger: known, onClose, onSaid, onLeave }: StrangerDialogProps) {
  const { t } = useTranslation();
  const [stranger, setStranger] = useState(known);
  const [step, setStep] = useState<'facts' | 'identify' | 'merge'>('facts');
  const name = stranger.face_name ?? t('strangers.name', { number: stranger.number });
  const titles = {
    facts: name,
    identify: t('strangers.identifyTitle', { name }),
    merge: t('strangers.mergeTitle', { name }),
  };
  const back = (): void => setStep('facts');
  const said = (now: UnknownFace, sentence: string): void => {
    setStranger(now);
    back();
    onSaid(sentence);
  };
  return (
    <Dialog open width="large" title={titles[step]} onClose={onClose}>
      {step === 'facts' && (
        <StrangerFacts stranger={stranger} onSaid={said} onStep={setStep} onLeave={onLeave} />
      )}
      {step === 'identify' && <IdentifyForm stranger={stranger} onCancel={back} onSaid={said} />}
      {step === 'merge' && <MergeForm stranger={stranger} onCancel={back} onSaid={said} />}
    </Dialog>
  );
}
