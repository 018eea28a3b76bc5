/**
 * The first run: language, administrator, first camera, first face. Every step is a real call, so leaving
 * loses nothing: from the second step on, one is signed in, and the steps still open follow from what exists.
 */
import { useNavigate } from '@tanstack/react-router';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '#api/session.ts';
import { useDocumentTitle } from '#parts/page.tsx';
import { SignedOutFrame } from '#parts/signed-out-frame.tsx';
import { AdministratorStep } from './administrator-step.tsx';
import { CameraStep } from './camera-step.tsx';
import { FaceStep } from './face-step.tsx';
import { LanguageStep } from './language-step.tsx';
import { Resume } from './resume.tsx';
import { StepList } from './step-list.tsx';
import type { Step } from './steps.ts';

const route = getRouteApi('/setup');

/** The code of the console's link, taken out of the address and its history as soon as it is read. */
function useSetupCode(): string {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [code] = useState(search.code ?? '');
  const present = search.code !== undefined;
  useEffect(() => {
    if (present) void navigate({ to: '/setup', search: {}, replace: true });
  }, [present, navigate]);
  return code;
}

export function SetupPage() {
  const { t } = useTranslation();
  useDocumentTitle(t('setup.title'));
  const code = useSetupCode();
  const navigate = useNavigate();
  const signedIn = useSession().kind === 'in';
  const [step, setStep] = useState<Step | null>(signedIn ? null : 'language');
  const finish = () => void navigate({ to: '/', replace: true });

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
