/** Which cameras play in step with the one whose page it is: found by name on the server, nine with it at most. */
import { useQuery } from '@tanstack/react-query';
import { LayoutGrid, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { problemSentence } from '#api/problem.ts';
import { ask } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { ArchiveCamera } from '../use-archive-camera.ts';
import { mostCameras } from './further-cameras.ts';
import type { FurtherCamera } from './use-several.ts';

export interface CameraChooserProps {
  camera: ArchiveCamera;
  further: readonly FurtherCamera[];
  /** Ids of those that play with it from now on. */
  onFurther: (ids: readonly string[]) => void;
}

/** Who has more types a letter of the name. */
const mostOffered = 12;

const searchQuery = (search: string) =>
  ask('cameras', cameraRoutes.list, { query: { search, page_size: 100 } });

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
        <Others not={[camera.id, ...ids]} onAdd={(id) => onFurther([...ids, id])} />
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

function Others({ not, onAdd }: { not: readonly string[]; onAdd: (id: string) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const query = useQuery(searchQuery(search));
  const others = (query.data?.results ?? [])
    .filter(({ id, may_play: mayPlay }) => mayPlay && !not.includes(id))
    .slice(0, mostOffered);
  return (
    <div className="grid grid-cols-1 gap-2">
      <SearchBox label={t('several.find')} value={search} onSearch={setSearch} />
      {query.isError && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-meta text-danger-text">
          {problemSentence(query.error)}
          <Button
            size="small"
            look="secondary"
            busy={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {query.isPending && (
        <output className="block text-meta text-muted">{t('recorded.loading')}</output>
      )}
      {query.isSuccess && others.length === 0 && (
        <output className="block text-meta text-muted">{t('several.none')}</output>
      )}
      <ul aria-label={t('several.others')} className="flex flex-wrap gap-1.5">
        {others.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Button
              look="secondary"
              size="small"
              className="max-w-full"
              aria-label={t('several.add', { name })}
              onClick={() => onAdd(id)}
            >
              <Plus aria-hidden />
              <span className="truncate">{name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
