import type { EnrolledFace } from '@nazar/contract/faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { FaceForm } from './face-form.tsx';
import { FaceResult } from './face-result.tsx';
import { StepHead } from './step-head.tsx';

export function FaceStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const [face, setFace] = useState<EnrolledFace | null>(null);
  return (
    <>
      <StepHead title={t('setup.face')} text={t('setup.faceText')} />
      {face === null ? (
        <FaceForm onAdded={setFace} onSkip={onDone} />
      ) : (
        <FaceResult face={face} onChanged={setFace} onDone={onDone} />
      )}
    </>
  );
}
