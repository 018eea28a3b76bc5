import { setupRoutes } from '@nazar/contract/setup.ts';
import { useQuery } from '@tanstack/react-query';
import { Camera, Clapperboard } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { Waiting } from '#ui/spinner.tsx';
import { DemoCamera } from './demo-camera.tsx';
import { OwnCamera } from './own-camera.tsx';
import { StepHead } from './step-head.tsx';

type Kind = 'demo' | 'own';

export function CameraStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const state = useQuery(ask('system', setupRoutes.state, {}));
  const [chosen, setChosen] = useState<Kind | null>(null);
  // Without an answer the own camera still can be added.
  const demo = state.data?.demo_available ?? false;
  const kind = chosen ?? (demo ? 'demo' : 'own');
  if (state.isPending) return <Waiting />;
  return (
    <>
      <StepHead title={t('setup.camera')} text={t('setup.cameraText')} />
      {demo && (
        <div className="mb-5">
          <ChoiceCards
            label={t('setup.cameraKind')}
            hideLabel
            name="camera-kind"
            value={kind}
            onChange={setChosen}
            options={[
              {
                value: 'demo',
                label: t('setup.demo'),
                text: t('setup.demoText'),
                icon: <Clapperboard />,
              },
              { value: 'own', label: t('setup.own'), text: t('setup.ownText'), icon: <Camera /> },
            ]}
          />
        </div>
      )}
      {kind === 'demo' ? <DemoCamera onDone={onDone} /> : <OwnCamera onDone={onDone} />}
    </>
  );
}
