/** Asks once for all selected cameras, shows how far it is, and says of each that failed why. */
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField } from '#ui/fields.tsx';
import { Progress } from '#ui/progress.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';
import { SeveralOutcome } from './several-outcome.tsx';
import { isOfGroup, type Task } from './several-tasks.ts';
import { useSeveral } from './use-several.ts';

export interface SeveralDialogProps {
  task: Task;
  cameras: readonly Camera[];
  /** These are done: they are no longer selected. */
  onDone: (cameras: readonly Camera[]) => void;
  onClose: () => void;
}

/** The most names that are shown before it begins; the rest is a number. */
const NAMES = 12;

export function SeveralDialog({ task, cameras: selected, onDone, onClose }: SeveralDialogProps) {
  const { t } = useTranslation();
  // What is done leaves the selection; this is about what was selected at first.
  const [cameras] = useState(selected);
  const [group, setGroup] = useState('');
  const several = useSeveral(task, group, onDone);
  const { state } = several;
  return (
    <Dialog
      open
      title={t(`cameraSelection.tasks.${task}`)}
      onClose={() => {
        several.cancel();
        onClose();
      }}
    >
      {state.kind === 'asked' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void several.run(cameras);
          }}
        >
          <Question task={task} cameras={cameras} />
          {isOfGroup(task) && <GroupChoice group={group} onGroup={setGroup} />}
          <Actions>
            <Button look="secondary" onClick={onClose}>
              {t('ui.cancel')}
            </Button>
            <Button
              type="submit"
              look={task === 'delete' ? 'danger' : 'primary'}
              disabled={isOfGroup(task) && group === ''}
            >
              {t(`cameraSelection.tasks.${task}`)}
            </Button>
          </Actions>
        </form>
      )}
      {state.kind === 'running' && (
        <div className="grid gap-3">
          <output>
            {t('cameraSelection.running', { finished: state.finished, count: state.count })}
          </output>
          <Progress
            aria-label={t(`cameraSelection.tasks.${task}`)}
            value={state.finished}
            max={state.count}
          />
          <Actions>
            <Button look="secondary" onClick={several.cancel}>
              {t('ui.cancel')}
            </Button>
          </Actions>
        </div>
      )}
      {state.kind === 'over' && (
        <SeveralOutcome
          outcome={state.outcome}
          onRetry={(again) => void several.run(again)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function Question({ task, cameras }: Pick<SeveralDialogProps, 'task' | 'cameras'>) {
  const { t } = useTranslation();
  const more = cameras.length - NAMES;
  return (
    <div className="grid gap-3">
      <p>{t('cameraSelection.question', { count: cameras.length })}</p>
      <ul className="list-disc gap-x-6 pl-5 text-ui sm:columns-2">
        {cameras.slice(0, NAMES).map(({ id, name }) => (
          <li key={id} className="break-words">
            {name}
          </li>
        ))}
        {more > 0 && <li>{t('cameraSelection.more', { count: more })}</li>}
      </ul>
      {task === 'delete' && <Banner tone="info">{t('cameraSelection.deleteKeeps')}</Banner>}
    </div>
  );
}

function GroupChoice({ group, onGroup }: { group: string; onGroup: (id: string) => void }) {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(ask('access', cameraGroupRoutes.list, {}));
  if (isError) {
    return <RetryBanner onRetry={() => void refetch()}>{t('ui.failed')}</RetryBanner>;
  }
  if (data?.results.length === 0) {
    return <Banner tone="info">{t('cameraSelection.noGroups')}</Banner>;
  }
  const groups = data?.results ?? [];
  return (
    <SelectField
      label={t('cameraSelection.group')}
      required
      className="mt-4"
      options={[
        { value: '', label: t('cameraSelection.chooseGroup') },
        ...groups.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={group}
      onChange={({ target }) => onGroup(target.value)}
    />
  );
}
