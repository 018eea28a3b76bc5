import { AppWindow } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { useDetection } from './detection-scope.tsx';

const windowName = 'nazar-live-';
const features = 'popup,width=1280,height=800';

/** A Live View for a second screen; a window that is blocked says so. */
export function OwnWindowButton({ cameraId }: { cameraId: string }) {
  const { t } = useTranslation();
  const detection = useDetection();
  if (window.name.startsWith(windowName)) return null;
  const open = (): void => {
    // Each camera has one: a second click brings it to the front.
    const opened = window.open(`/cameras/${cameraId}`, windowName + cameraId, features);
    if (opened === null) detection.sayWindowBlocked();
    else opened.focus();
  };
  return (
    // A phone has no second window to put it in.
    <IconButton label={t('detecting.openWindow')} onClick={open} className="max-sm:hidden">
      <AppWindow aria-hidden />
    </IconButton>
  );
}
