/** System Logs: what the server, its processes and browsers said, the newest first. */
import { useQuery } from '@tanstack/react-query';
import { Pause, Radio, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Nothing, PanelCard } from '../panel-card.tsx';
import { leadTo } from '../figures.ts';
import type { PanelProps } from '../panel-context.ts';
import { PanelView } from '../panel-view.tsx';
import { DeleteLine, DeleteLinesButton } from './delete-lines.tsx';
import { LineCounts } from './line-counts.tsx';
import { LineDialog } from './line-dialog.tsx';
import { LineRow } from './line-row.tsx';
import { SourceLevelsButton } from './source-levels.tsx';
import { SupportFileButton } from './support-file.tsx';
import { countsQuery, linesAsked, linesOf, sumsOf, useLines } from './lines.ts';

export function SystemLogs({ asked, onChange, onDone }: PanelProps) {
  const { t } = useTranslation();
  const { level, source, search, entry } = asked.search;
  const [isFollowed, setFollowed] = useState(false);
  const [asks, setAsks] = useState<string | null>(null);
  const filter = linesAsked(asked);
  const query = useLines(filter, isFollowed);
  const counts = useQuery(countsQuery(asked));
  const reload = (): void => {
    void query.refetch();
    void counts.refetch();
  };
  /** A reader of older lines wants the list to stand still. */
  const loadMore = (): void => {
    setFollowed(false);
    void query.fetchNextPage();
  };
  return (
    <>
      <LineCounts
        counts={counts.data && sumsOf(counts.data, source)}
        level={level}
        onLevel={(next) =>
          onChange(
            next === undefined ? { level: next } : leadTo('system', 'level', { level: next }),
          )
        }
      />
      <PanelCard panel="system" title={t('panels.names.system')}>
        <div className="mb-2 flex flex-wrap justify-end gap-2">
          <FollowButton isOn={isFollowed} onChange={setFollowed} />
          <Button look="secondary" size="small" busy={query.isRefetching} onClick={reload}>
            <RefreshCw aria-hidden />
            {t('systemLog.refresh')}
          </Button>
          <SourceLevelsButton />
          <SupportFileButton onDone={onDone} />
          <DeleteLinesButton
            filter={filter}
            isEmpty={query.data?.pages[0]?.results.length === 0}
            onDone={onDone}
          />
        </div>
        <PanelView panel="system" query={query}>
          {({ pages }) => {
            const lines = linesOf(pages);
            if (lines.length === 0) return <Nothing title={t('panels.empty.overview')} />;
            return (
              <ul className="divide-y divide-line" aria-label={t('panels.names.system')}>
                {lines.map((line) => (
                  <LineRow
                    key={line.id}
                    line={line}
                    term={search}
                    onOpen={(id) => onChange({ entry: id })}
                    onDelete={setAsks}
                  />
                ))}
              </ul>
            );
          }}
        </PanelView>
        {query.hasNextPage && (
          <div className="mt-3 grid justify-items-center">
            <Button look="secondary" busy={query.isFetchingNextPage} onClick={loadMore}>
              {t('panels.loadMore')}
            </Button>
          </div>
        )}
      </PanelCard>
      <DeleteLine id={asks} onDone={onDone} onClose={() => setAsks(null)} />
      {entry !== undefined && (
        <LineDialog id={entry} onClose={() => onChange({ entry: undefined })} />
      )}
    </>
  );
}

function FollowButton({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Button look="secondary" size="small" onClick={() => onChange(!isOn)}>
      {isOn ? <Pause aria-hidden /> : <Radio aria-hidden />}
      {isOn ? t('activityLog.pause') : t('systemLog.follow')}
    </Button>
  );
}
