import { Link } from '@tanstack/react-router';
import { Camera, ChevronRight, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { Card } from '#ui/card.tsx';

function Step({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <>
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-full bg-primary-soft text-primary-text [&_svg]:size-5"
      >
        {icon}
      </span>
      <span className="grid flex-1">
        <span className="text-ui font-semibold">{title}</span>
        <span className="text-meta text-muted">{text}</span>
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
    </>
  );
}

const box =
  'flex items-center gap-3 rounded-control border border-line p-3 transition-colors duration-100 hover:bg-surface-2';

export interface FirstStepsProps {
  cameras: number;
  faces: number;
}

/**
 * What is to be done next; absent once there are cameras and people. Only who sets Nazar up is asked to add them:
 * who is shown cameras may have no person of their own for years.
 */
export function FirstSteps({ cameras, faces }: FirstStepsProps) {
  const { t } = useTranslation();
  const mayAddCamera = mayChangeCameras(useUser());
  if (cameras > 0 && (faces > 0 || !mayAddCamera)) return null;
  return (
    <Card title={t('dashboard.firstSteps')}>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {cameras === 0 && mayAddCamera && (
          <li>
            <Link to="/cameras" className={box}>
              <Step
                icon={<Camera />}
                title={t('dashboard.addCamera')}
                text={t('dashboard.addCameraText')}
              />
            </Link>
          </li>
        )}
        {cameras === 0 && !mayAddCamera && (
          <li className="flex items-center text-ui text-muted">{t('dashboard.askForCamera')}</li>
        )}
        {faces === 0 && mayAddCamera && (
          <li>
            <Link to="/face-database" search={{ add: true }} className={box}>
              <Step
                icon={<UserPlus />}
                title={t('dashboard.addFace')}
                text={t('dashboard.addFaceText')}
              />
            </Link>
          </li>
        )}
      </ul>
    </Card>
  );
}
