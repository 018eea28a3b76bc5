/** What is selected and what can be done with it; stays in sight at the bottom of the list. */
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import type { CameraFilters } from '../camera-filters.ts';
import { listQuery } from '../queries.ts';
import { SeveralDialog } from './several-dialog.tsx';
import { tasks, type Task } from './several-tasks.ts';
import type { Selection } from './use-selection.ts';

export interface SelectionBarProps {
  selection: Selection;
  /** What is shown, and how many cameras that is on all pages. */
  filters: CameraFilters;
  count: number;
  /** What is about to be done with the selection, in a dialog. */
  task: Task | null;
  onTask: (task: Task | null) => void;
}

const PAGE = 1000;
const MOST_PAGES = 10;

/** Every camera of the filter, on whatever page. */
async function allOf(filters: CameraFilters): Promise<Camera[]> {
  const found: Camera[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = { ...listQuery(filters), page, page_size: PAGE };
    const { count, results } = await call(cameraRoutes.list, { query });
    found.push(...results);
    if (results.length === 0 || found.length >= count) break;
  }
  return found;
}

export function SelectionBar({ selection, filters, count, task, onTask }: SelectionBarProps) {
  const { t } = useTranslation();
  const all = useMutation({ mutationFn: () => allOf(filters), onSuccess: selection.add });
  const selected = [...selection.cameras.values()];
  if (selected.length === 0 && task === null) return null;
  return (
    <section
      aria-label={t('cameraSelection.title')}
      className="sticky bottom-3 z-20 card grid gap-2 p-3 shadow-overlay"
    >
      {all.isError && <Banner tone="error">{problemSentence(all.error)}</Banner>}
      <div className="flex flex-wrap items-center gap-2">
        <output className="mr-auto w-full text-ui font-medium sm:w-auto">
          {t('cameraSelection.count', { count: selected.length })}
        </output>
        {selected.length < count && (
          <Button look="link" busy={all.isPending} onClick={() => all.mutate()}>
            {t('cameraSelection.all', { count })}
          </Button>
        )}
        <Button look="secondary" onClick={selection.clear}>
          {t('cameraSelection.clear')}
        </Button>
        <Menu
          trigger={
            <Button>
              {t('cameraSelection.actions')}
              <ChevronDown aria-hidden />
            </Button>
          }
        >
          {tasks.map((one) => (
            <TaskItem key={one} task={one} onSelect={() => onTask(one)} />
          ))}
        </Menu>
      </div>
      {task !== null && (
        <SeveralDialog
          task={task}
          cameras={selected}
          onDone={selection.remove}
          onClose={() => onTask(null)}
        />
      )}
    </section>
  );
}

function TaskItem({ task, onSelect }: { task: Task; onSelect: () => void }) {
  const { t } = useTranslation();
  const isDelete = task === 'delete';
  return (
    <>
      {isDelete && <MenuSeparator />}
      <MenuItem danger={isDelete} onSelect={onSelect}>
        {t(`cameraSelection.tasks.${task}`)}
      </MenuItem>
    </>
  );
}
