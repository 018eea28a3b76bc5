import type { ExportEstimate } from '@nazar/contract/exports.ts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { OtherCameras, type NamedCamera } from '../other-cameras.tsx';
import { lengthWords, sizeWords } from './words.ts';

/** contract/src/exports.ts */
export const mostCameras = 16;
const mostOffered = 8;

export interface CameraChoiceProps {
  cameras: readonly NamedCamera[];
  onCameras: (cameras: readonly NamedCamera[]) => void;
  /** What would be exported of each; null: not known. */
  estimates: readonly ExportEstimate[] | null;
  error: string | undefined;
}

/** The choice of cameras: those that were shown, and others by name. */
export function CameraChoice({ cameras, onCameras, estimates, error }: CameraChoiceProps) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-ui font-medium">{t('handover.cameras')}</legend>
      <ul className="grid gap-1.5">
        {cameras.map((camera) => (
          <li
            key={camera.id}
            className="flex items-center gap-2 rounded-control bg-surface-2 py-1 pr-1 pl-3"
          >
            <span className="min-w-0 flex-1 text-ui">
              <span className="block truncate">{camera.name}</span>
              <Expected estimate={estimates?.find(({ camera_id: id }) => id === camera.id)} />
            </span>
            <IconButton
              small
              label={t('handover.leaveOut', { name: camera.name })}
              onClick={() => onCameras(cameras.filter(({ id }) => id !== camera.id))}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <p role="alert" className="text-meta text-danger-text">
          {error}
        </p>
      )}
      {isAdding ? (
        <OtherCameras
          not={cameras.map(({ id }) => id)}
          most={mostOffered}
          words={{
            find: t('handover.findCamera'),
            none: t('handover.noOtherCamera'),
            others: t('handover.otherCameras'),
            add: (name) => t('handover.addThis', { name }),
          }}
          onAdd={(camera) => onCameras([...cameras, camera])}
        />
      ) : (
        <Button
          look="secondary"
          size="small"
          className="justify-self-start"
          onClick={() => setAdding(true)}
        >
          <Plus aria-hidden />
          {t('handover.addCamera')}
        </Button>
      )}
    </fieldset>
  );
}

function Expected({ estimate }: { estimate: ExportEstimate | undefined }) {
  const { t } = useTranslation();
  if (estimate === undefined) return null;
  const { seconds, bytes } = estimate;
  const length = lengthWords(seconds);
  const words = (): string => {
    if (seconds === 0) return t('handover.nothingOfCamera');
    return bytes === null
      ? t('handover.expectedMasked', { length })
      : t('handover.expected', { length, size: sizeWords(t, bytes) });
  };
  return <span className="block text-meta text-muted">{words()}</span>;
}
