/** From which level on the entries of each source are kept, chosen while Nazar runs. */
import { systemLogLevels, type SystemLogSource } from '@nazar/contract/system-logs.ts';
import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Select } from '#ui/select.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { LevelBadge } from './level-badge.tsx';
import { useSourceName } from './source-name.ts';
import { sourcesQuery, useChooseLevel } from './sources.ts';

/** Administrators read the levels; who may change cameras chooses them. */
export function SourceLevelsButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (!isAdministrator(useUser())) return null;
  return (
    <>
      <Button look="secondary" size="small" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden />
        {t('systemLog.sources.title')}
      </Button>
      <Dialog
        open={isOpen}
        title={t('systemLog.sources.title')}
        description={t('systemLog.sources.text')}
        onClose={() => setOpen(false)}
      >
        <SourceLevels />
      </Dialog>
    </>
  );
}

function SourceLevels() {
  const { t } = useTranslation();
  const sources = useQuery(sourcesQuery());
  const mayChoose = mayChangeCameras(useUser());
  return (
    <QueryView query={sources} skeleton={<Skeleton className="h-64" />}>
      {({ results }) =>
        results.length === 0 ? (
          <EmptyState icon={<SlidersHorizontal />} title={t('systemLog.sources.empty')} />
        ) : (
          <ul className="divide-y divide-line" aria-label={t('systemLog.sources.title')}>
            {results.map((source) => (
              <li
                key={source.source}
                className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-2"
              >
                <SourceName {...source} />
                {mayChoose ? <LevelChoice {...source} /> : <LevelBadge level={source.level} />}
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function SourceName({ source, debug_until: until }: SystemLogSource) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const name = useSourceName()(source);
  return (
    <div className="min-w-0">
      <p className="text-ui font-medium [overflow-wrap:anywhere]">{name}</p>
      {/* As the printed log calls it. */}
      {name !== source && <p className="font-mono text-meta text-muted">{source}</p>}
      {until !== null && (
        <p className="text-meta text-muted">
          {t('systemLog.sources.debugUntil', { time: formatTime(until, { timeStyle: 'short' }) })}
        </p>
      )}
    </div>
  );
}

/** Saved at once, and said below. */
function LevelChoice({ source, level }: SystemLogSource) {
  const { t } = useTranslation();
  const choose = useChooseLevel(source);
  const name = useSourceName()(source);
  const saved = choose.data === undefined ? null : t(`systemLog.levels.${choose.data.level}`);
  return (
    <>
      <Select
        className="w-46"
        aria-label={t('systemLog.sources.level', { source: name })}
        aria-busy={choose.isPending || undefined}
        value={choose.isPending ? choose.variables : level}
        onChange={({ target }) => {
          const chosen = systemLogLevels.find((one) => one === target.value);
          if (chosen !== undefined) choose.mutate(chosen);
        }}
        options={systemLogLevels.map((value) => ({
          value,
          label: t(`systemLog.levels.${value}`),
        }))}
      />
      {choose.isError && (
        <div className="col-span-2">
          <Banner tone="error">{problemSentence(choose.error)}</Banner>
        </div>
      )}
      <output className="col-span-2 text-right text-meta text-success-text empty:hidden">
        {saved !== null && t('systemLog.sources.saved', { source: name, level: saved })}
      </output>
    </>
  );
}
