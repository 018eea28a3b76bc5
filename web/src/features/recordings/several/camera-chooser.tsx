/** Which cameras play in step with the one whose page it is: found by name on the server, nine with it at most. */
import { LayoutGrid, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { OtherCameras } from '../other-cameras.tsx';
import type { ArchiveCamera } from '../use-archive-camera.ts';
import { mostCameras } from './further-cameras.ts';
import type { FurtherCamera } from './use-several.ts';

export interface CameraChooserProps {
  camera: ArchiveCamera;
  further: readonly FurtherCamera[];
  /** Ids of those that play with it from now on. */
  onFurther: (ids: readonly string[]) => void;
}

const mostOffered = 12;

export function CameraChooser(props: CameraChooserProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="link" onClick={() => setOpen(true)}>
        <LayoutGrid aria-hidden />
        {t('several.choose')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('several.choose')}
        description={t('several.most')}
      >
        <Choice {...props} />
      </Dialog>
    </>
  );
}

function Choice({ camera, further, onFurther }: CameraChooserProps) {
  const { t } = useTranslation();
  const ids = further.map(({ id }) => id);
  const isFull = ids.length + 1 >= mostCameras;
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul aria-label={t('several.chosen')} className="grid grid-cols-1 gap-1.5">
        <Chosen name={camera.name} />
        {further.map(({ id, found }) => (
          <Chosen
            key={id}
            name={found.kind === 'found' ? found.camera.name : t('several.nameless')}
            onRemove={() => onFurther(ids.filter((one) => one !== id))}
          />
        ))}
      </ul>
      {isFull ? (
        <output className="block text-meta text-muted">{t('several.full')}</output>
      ) : (
        <OtherCameras
          not={[camera.id, ...ids]}
          most={mostOffered}
          words={{
            find: t('several.find'),
            none: t('several.none'),
            others: t('several.others'),
            add: (name) => t('several.add', { name }),
          }}
          onAdd={({ id }) => onFurther([...ids, id])}
        />
      )}
    </div>
  );
}

function Chosen({ name, onRemove }: { name: string; onRemove?: () => void }) {
  const { t } = useTranslation();
  return (
    <li className="flex min-h-9 items-center gap-2 rounded-control bg-surface-2 py-1 pr-1 pl-3 text-ui">
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {onRemove !== undefined && (
        <IconButton small label={t('several.remove', { name })} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
