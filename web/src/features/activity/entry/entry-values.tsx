/** The values of an entry that filter the log when they are clicked, and its badges. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { CircleAlert, FlaskConical, Globe } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';
import { Highlight } from '../highlight.tsx';
import type { Change } from '../search.ts';
import { ValueMenu } from '../value-menu.tsx';
import { useWords } from '../words.ts';

export interface ValueProps {
  entry: ActivityEntry;
  onFilter: (change: Change) => void;
  /** What is searched for. */
  term?: string | undefined;
}

export function ActionValue({ entry: { action }, onFilter }: ValueProps) {
  const words = useWords();
  const value = words.action(action);
  return (
    <ValueMenu
      value={value}
      only={{ action, notAction: undefined }}
      without={{ notAction: action, action: undefined }}
      onFilter={onFilter}
    >
      {value}
    </ValueMenu>
  );
}

export function TypeValue({ entry: { content_type_name: type }, onFilter }: ValueProps) {
  const words = useWords();
  const value = words.type(type);
  return (
    <ValueMenu
      value={value}
      only={{ type, notType: undefined }}
      without={{ notType: type, type: undefined }}
      onFilter={onFilter}
    >
      {value}
    </ValueMenu>
  );
}

export function IpValue({ entry: { ip_address: ip }, onFilter, term }: ValueProps) {
  if (ip === '') return <span className="text-muted">–</span>;
  return (
    <ValueMenu
      value={ip}
      only={{ ip, notIp: undefined }}
      without={{ notIp: ip, ip: undefined }}
      onFilter={onFilter}
    >
      <span className="figures">
        <Highlight text={ip} term={term} />
      </span>
    </ValueMenu>
  );
}

export function UserValue({ entry, onFilter, term }: ValueProps) {
  const words = useWords();
  const value = words.user(entry);
  const { user } = entry;
  if (user === null) return <span className="text-muted">{value}</span>;
  return (
    <ValueMenu
      value={value}
      only={{ user, notUser: undefined }}
      without={{ notUser: user, user: undefined }}
      onFilter={onFilter}
    >
      <Highlight text={value} term={term} />
    </ValueMenu>
  );
}

export function EntryBadges({ entry: { is_mock, source, level } }: { entry: ActivityEntry }) {
  const { t } = useTranslation();
  return (
    <>
      {is_mock && (
        <Badge tone="info" icon={<FlaskConical aria-hidden />}>
          {t('activityLog.mock')}
        </Badge>
      )}
      {source === 'client' && !is_mock && (
        <Badge tone="neutral" icon={<Globe aria-hidden />}>
          {t('activityLog.sources.client')}
        </Badge>
      )}
      {level === 'warning' && (
        <Badge tone="warning" icon={<CircleAlert aria-hidden />}>
          {t('activityLog.warningLevel')}
        </Badge>
      )}
    </>
  );
}
