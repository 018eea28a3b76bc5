/** What stands in the head of the page: the sound of new alerts, and the keys of the list. */
import { Keyboard, Volume2, VolumeX } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { useAlertSound } from './sound/use-alert-sound.ts';

export interface AlertToolsProps {
  onKeys: () => void;
}

export function AlertTools({ onKeys }: AlertToolsProps) {
  const { t } = useTranslation();
  const { isOn, isWaiting, toggle } = useAlertSound();
  return (
    <>
      {isWaiting && <span className="text-meta text-muted">{t('alerts.sound.waiting')}</span>}
      <IconButton label={t('alerts.sound.label')} aria-pressed={isOn} onClick={toggle}>
        {isOn ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
      </IconButton>
      <IconButton label={t('alerts.keys.title')} aria-haspopup="dialog" onClick={onKeys}>
        <Keyboard aria-hidden />
      </IconButton>
    </>
  );
}
