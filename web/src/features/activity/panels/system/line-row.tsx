/** One entry of the system log, with its details folded. */
import type { SystemLogEntry } from '@nazar/contract/system-logs.ts';
import { ChevronRight, ListTree, Trash2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { joined } from '#lib/joined.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Highlight } from '../../highlight.tsx';
import { LevelBadge } from './level-badge.tsx';
import { LineDetails } from './line-details.tsx';
import { useSourceName } from './source-name.ts';

export interface LineRowProps {
  line: SystemLogEntry;
  /** What is searched for. */
  term?: string | undefined;
  /** Shows what was said around it. */
  onOpen: (id: string) => void;
  onDelete: (id: string) => void;
}

export function LineRow({ line, term, onOpen, onDelete }: LineRowProps) {
  const { t } = useTranslation();
  const { id, level, message, timestamp } = line;
  const time = useLineTime()(timestamp);
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-2 py-2">
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <LevelBadge level={level} />
          <p className="min-w-0 text-ui font-medium [overflow-wrap:anywhere]">
            {message === '' ? (
              <span className="text-muted">{t('systemLog.noMessage')}</span>
            ) : (
              <Highlight text={message} term={term} />
            )}
          </p>
        </div>
        <LineOrigin line={line} />
        {Object.keys(line.details).length > 0 && (
          <details className="group text-meta">
            <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 text-primary-text touch:min-h-11 [&::-webkit-details-marker]:hidden">
              <ChevronRight
                aria-hidden
                className="size-3.5 transition-transform group-open:rotate-90"
              />
              {t('panels.details')}
            </summary>
            <div className="mt-1 rounded-control bg-surface-2 p-3">
              <LineDetails details={line.details} />
            </div>
          </details>
        )}
      </div>
      <div className="flex">
        <IconButton label={t('systemLog.around', { time })} onClick={() => onOpen(id)}>
          <ListTree aria-hidden />
        </IconButton>
        <IconButton label={t('systemLog.delete', { time })} onClick={() => onDelete(id)}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}

export function useLineTime(): (timestamp: string) => string {
  const { formatTime } = useFormat();
  return (timestamp) => formatTime(timestamp, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** When, by what, of whom, and how often. */
export function LineOrigin({ line }: { line: SystemLogEntry }) {
  const { t } = useTranslation();
  const timeOf = useLineTime();
  const nameOf = useSourceName();
  const { formatNumber, formatTime } = useFormat();
  const { timestamp, source, user, user_name: name, repeats, last_at: lastAt } = line;
  const who = user === null ? t('systemLog.system') : name || t('activityLog.oneUser');
  return (
    <p className="text-meta text-muted [overflow-wrap:anywhere]">
      <time dateTime={timestamp} className="figures">
        {timeOf(timestamp)}
      </time>
      {' · '}
      {joined([nameOf(source), who])}
      {repeats > 1 &&
        ` · ${t('systemLog.repeated', {
          count: repeats,
          times: formatNumber(repeats),
          time: formatTime(lastAt, { timeStyle: 'medium' }),
        })}`}
    </p>
  );
}
