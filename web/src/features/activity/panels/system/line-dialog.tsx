/** One entry whole, with what was said just before and after it, and its link. */
import type { SystemLogEntry } from '@nazar/contract/system-logs.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { LevelBadge } from './level-badge.tsx';
import { LineDetails } from './line-details.tsx';
import { LineOrigin } from './line-row.tsx';
import { lineQuery, neighboursQuery } from './lines.ts';

/** On each side. */
const NEIGHBOURS = 10;

export interface LineDialogProps {
  id: string;
  onClose: () => void;
}

export function LineDialog({ id, onClose }: LineDialogProps) {
  const { t } = useTranslation();
  const line = useQuery(lineQuery(id));
  const link = new URL(location.pathname, location.origin);
  link.search = String(new URLSearchParams({ tab: 'analytics', panel: 'system', entry: id }));
  return (
    <Dialog open title={t('activityLog.details')} width="large" onClose={onClose}>
      <QueryView query={line} skeleton={<Skeleton className="h-40" />}>
        {(entry) => (
          <div className="grid grid-cols-1 gap-5">
            <Around line={entry} />
            <CopyField
              label={t('activityLog.link')}
              value={link.href}
              copyLabel={t('activityLog.copyLink')}
              copiedLabel={t('activityLog.linkCopied')}
            />
          </div>
        )}
      </QueryView>
    </Dialog>
  );
}

function Around({ line }: { line: SystemLogEntry }) {
  const { t } = useTranslation();
  const neighbours = useQuery(neighboursQuery(line.id, NEIGHBOURS));
  return (
    <QueryView query={neighbours} skeleton={<Skeleton className="h-40" />}>
      {({ before, after }) => (
        <>
          <Neighbours title={t('systemLog.after')} lines={after} />
          <div className="grid grid-cols-1 gap-2 rounded-control border border-line-strong p-3">
            <Line line={line} />
            <LineDetails details={line.details} />
          </div>
          <Neighbours title={t('systemLog.before')} lines={before} />
        </>
      )}
    </QueryView>
  );
}

interface NeighboursProps {
  title: string;
  lines: readonly SystemLogEntry[];
}

function Neighbours({ title, lines }: NeighboursProps) {
  const { t } = useTranslation();
  return (
    <section aria-label={title}>
      <h3 className="text-ui font-semibold">{title}</h3>
      {lines.length === 0 ? (
        <p className="text-ui text-muted">{t('systemLog.nothing')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {lines.map((line) => (
            <li key={line.id} className="grid grid-cols-1 gap-0.5 py-1.5">
              <Line line={line} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ line }: { line: SystemLogEntry }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <LevelBadge level={line.level} />
        <span className="min-w-0 text-ui [overflow-wrap:anywhere]">
          {line.message || t('systemLog.noMessage')}
        </span>
      </div>
      <LineOrigin line={line} />
    </>
  );
}
