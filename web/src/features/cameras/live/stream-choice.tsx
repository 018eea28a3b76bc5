/** The lighter stream of a camera instead of the main one, and which of them is really in use. */
import type { Camera, StreamName } from '@nazar/contract/cameras.ts';
import { Gauge } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';

export interface StreamChoiceProps {
  camera: Camera;
  stream: StreamName;
  onStream: (stream: StreamName) => void;
}

export function StreamChoice({ camera, stream, onStream }: StreamChoiceProps) {
  const { t } = useTranslation();
  const { sub } = camera.health;
  const isOn = stream === 'sub' && sub !== null;
  const words = (): string => {
    if (sub === null) return t('liveView.noSub');
    // The server shows the main stream while the other one does not come.
    if (isOn && sub.state !== 'live') return t('liveView.subAway');
    return t(`liveView.inUse.${stream}`);
  };
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <Button
        look="ghost"
        size="small"
        aria-pressed={isOn}
        disabled={sub === null}
        onClick={() => onStream(isOn ? 'main' : 'sub')}
        className="aria-pressed:bg-primary-soft aria-pressed:text-primary-text"
      >
        <Gauge aria-hidden />
        {t('liveView.optimize')}
      </Button>
      <output className="min-w-0 text-meta text-muted">{words()}</output>
    </span>
  );
}
