/**
 * What a camera should do, as a word and an icon. It has no colour: whether the camera does it is another question,
 * which `camera-state/` answers.
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import { CircleAlert, CirclePause, CirclePlay, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';

const icons: Record<Camera['status'], ReactNode> = {
  active: <CirclePlay aria-hidden />,
  inactive: <CirclePause aria-hidden />,
  maintenance: <Wrench aria-hidden />,
  error: <CircleAlert aria-hidden />,
};

export function CameraStatusBadge({ status }: { status: Camera['status'] }) {
  const { t } = useTranslation();
  return (
    <Badge tone="neutral" icon={icons[status]}>
      {t(`camera.statuses.${status}`)}
    </Badge>
  );
}
