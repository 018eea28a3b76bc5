/** The cameras of one page as cards or as a table, and what stands there when there are none. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { Camera as CameraIcon, Plus } from 'lucide-react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useWide } from '#lib/use-wide.ts';
import { Button } from '#ui/button.tsx';
import { CardGrid } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CameraCard } from './camera-card.tsx';
import type { CameraActions } from './camera-menu.tsx';
import { CameraTable } from './camera-table.tsx';
import type { Selection } from './several/use-selection.ts';

export function CameraSkeletons() {
  return (
    <CardGrid>
      {['one', 'two', 'three'].map((name) => (
        <div key={name} className="card overflow-hidden">
          <Skeleton className="aspect-video !rounded-none" />
          <div className="grid gap-3 p-4">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-16" />
            <Skeleton className="h-5 w-3/4" />
          </div>
        </div>
      ))}
    </CardGrid>
  );
}

export interface CameraListProps {
  cameras: readonly Camera[];
  view: 'grid' | 'list';
  /** Null: what is shown is a copy, from which nothing can be done. */
  actions: CameraActions | null;
  /** Null for those who may not change cameras. */
  selection: Selection | null;
  paused: boolean;
  /** When the list was asked for. */
  asOf: number;
  /** The same, where the server can't be asked now; null: what is shown is of now. */
  knownAtMs: number | null;
}

/** Phones get cards in either view: a table of eight columns does not fit them. */
export function CameraList(props: CameraListProps) {
  const { cameras, view, actions, selection, paused, asOf, knownAtMs } = props;
  const wide = useWide();
  if (view === 'list' && wide) {
    return <CameraTable {...{ cameras, actions, selection, asOf, knownAtMs }} />;
  }
  return (
    <CardGrid>
      {cameras.map((camera) => (
        <CameraCard
          key={camera.id}
          camera={camera}
          shown={cameras}
          actions={actions}
          selection={selection}
          paused={paused}
          knownAtMs={knownAtMs}
        />
      ))}
    </CardGrid>
  );
}

export interface NoCamerasProps {
  filtered: boolean;
  onClear: () => void;
  /** Null for those who may not add one. */
  onAdd: (() => void) | null;
}

export function NoCameras({ filtered, onClear, onAdd }: NoCamerasProps) {
  const { t } = useTranslation();
  const seesAll = isAdministrator(useUser());
  return (
    <div className="card">
      {filtered ? (
        <FilteredOut title={t('cameras.noneFound')} onClear={onClear} />
      ) : (
        <EmptyState
          icon={<CameraIcon />}
          title={t(seesAll ? 'cameras.empty' : 'cameras.emptyShared')}
          text={onAdd === null ? t('cameras.emptyText') : t('cameras.emptyAdd')}
          {...(onAdd !== null && {
            action: (
              <Button onClick={onAdd}>
                <Plus aria-hidden />
                {t('cameras.add')}
              </Button>
            ),
          })}
        />
      )}
    </div>
  );
}
