/**
 * The first run: language, administrator, first camera, first face. Every step is a real call, so leaving
 * loses nothing: from the second step on, one is signed in, and the steps still open follow from what exists.
 */
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useSession } from '#api/session.ts';
import { address, go, queryOf } from '#lib/address.ts';
import { useSignal } from '#lib/signal.ts';
import { OwnQueries } from '#parts/own-queries.tsx';
import { useDocumentTitle } from '#parts/page.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { AdministratorStep } from './administrator-step.tsx';
import { CameraStep } from './camera-step.tsx';
import { FaceStep } from './face-step.tsx';
import { LanguageStep } from './language-step.tsx';
import { Resume } from './resume.tsx';
import { StepList } from './step-list.tsx';
import type { Step } from './steps.ts';

/** The code of the console's link, taken out of the address and its history as soon as it is read. */
function useSetupCode(): string {
  const at = useSignal(address);
  const found = queryOf(at).get('code');
  const [code] = useState(found ?? '');
  useEffect(() => {
    if (found !== null) go('/setup', { replace: true });
  }, [found]);
  return code;
}

export function SetupPage() {
  return (
    <OwnQueries>
      <Wizard />
    </OwnQueries>
  );
}

const finish = (): void => go('/', { replace: true });

function Wizard() {
  const { t } = useTranslation();
  useDocumentTitle(t('setup.title'));
  const code = useSetupCode();
  const signedIn = useSession().kind === 'in';
  const [step, setStep] = useState<Step | null>(signedIn ? null : 'language');

  return (
    <SignedOutFrame wide>
      <StepList current={step} />
      <div className="card mt-4 p-5 sm:p-8">
        {step === null && <Resume onStep={setStep} onFinished={finish} />}
        {step === 'language' && <LanguageStep onDone={() => setStep('administrator')} />}
        {step === 'administrator' && (
          <AdministratorStep
            code={code}
            onBack={() => setStep('language')}
            onDone={() => setStep('camera')}
          />
        )}
        {step === 'camera' && <CameraStep onDone={() => setStep('face')} />}
        {step === 'face' && <FaceStep onDone={finish} />}
      </div>
    </SignedOutFrame>
  );
}
