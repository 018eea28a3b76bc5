/** The rows of the warnings: their code loads only where there is a warning. */
import { warningRoutes, type Warning } from '@nazar/contract/warnings.ts';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useBytes } from '#lib/use-bytes.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { usePlanWords } from '#parts/recording-settings/plan-words.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Badge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { RowList } from '#ui/data-list.tsx';

export interface WarningListProps {
  warnings: readonly Warning[];
}

/** What administrators are warned of, until one of them takes note of it. */
export function WarningList({ warnings }: WarningListProps) {
  const { t } = useTranslation();
  const acknowledge = useChange('system', (id: string) =>
    call(warningRoutes.acknowledge, { params: { id } }),
  );
  return (
    <Card title={t('warning.title')}>
      {acknowledge.isError && <Banner tone="error">{problemSentence(acknowledge.error)}</Banner>}
      <RowList label={t('warning.title')}>
        {warnings.map((warning) => (
          <WarningRow
            key={warning.id}
            warning={warning}
            busy={acknowledge.isPending && acknowledge.variables === warning.id}
            onAcknowledge={() => acknowledge.mutate(warning.id)}
          />
        ))}
      </RowList>
    </Card>
  );
}

function useSentence({ kind, subject, details }: Warning): string {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const bytes = useBytes();
  const { days } = usePlanWords();
  const { from, to, until } = details;
  return t(`warning.of.${kind}`, {
    subject: subject ?? t('warning.nobody'),
    free: bytes(Number(details['free_bytes'])),
    folder: typeof details['folder'] === 'string' ? details['folder'] : '',
    kept: days(Number(details['kept_days'] ?? 0)),
    wanted: days(Number(details['wanted_days'] ?? 0)),
    from: modelId(from),
    to: modelId(to),
    until: typeof until === 'string' ? formatTime(until) : '',
  });
}

/** Models are written `id@version`; people know them by their id. */
const modelId = (model: unknown): string =>
  typeof model === 'string' ? model.slice(0, model.lastIndexOf('@')) : '';

/** The page where something can be done about it. */
function Remedy({ warning: { kind, details } }: { warning: Warning }) {
  const { t } = useTranslation();
  const mayChangeModels = mayChangeCameras(useUser());
  const look = 'text-ui text-primary-text underline-offset-4 hover:underline';
  const { user } = details;
  if (kind === 'person_matched' && typeof user === 'string') {
    return (
      <Link to="/face-database" search={{ added_by: user }} className={look}>
        {t('warning.showPeople')}
      </Link>
    );
  }
  const isOfModels = kind === 'models_changed' || kind === 'models_waiting';
  if (!isOfModels || !mayChangeModels) return null;
  return (
    <Link to="/settings/recognition" className={look}>
      {t('warning.showModels')}
    </Link>
  );
}

interface WarningRowProps {
  warning: Warning;
  busy: boolean;
  onAcknowledge: () => void;
}

function WarningRow({ warning, busy, onAcknowledge }: WarningRowProps) {
  const { t } = useTranslation();
  const { count, last_at, severity } = warning;
  const sentence = useSentence(warning);
  const isCritical = severity === 'critical';
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      <ShieldAlert
        aria-hidden
        className={
          isCritical ? 'size-5 shrink-0 text-danger-text' : 'size-5 shrink-0 text-unrecognized-text'
        }
      />
      <div className="min-w-48 flex-1">
        <p className="text-ui font-medium break-words">{sentence}</p>
        <Remedy warning={warning} />
        <p className="text-meta text-muted">
          <TimeAgo at={last_at} />
          {count > 1 && ` · ${t('warning.times', { count })}`}
        </p>
      </div>
      <Badge tone={isCritical ? 'danger' : 'warning'}>{t(`warning.severity.${severity}`)}</Badge>
      <Button
        look="secondary"
        size="small"
        busy={busy}
        aria-label={t('warning.acknowledgeOf', { sentence })}
        onClick={onAcknowledge}
      >
        {t('warning.acknowledge')}
      </Button>
    </li>
  );
}
