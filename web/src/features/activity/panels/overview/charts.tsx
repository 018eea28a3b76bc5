/** The bars of the overview: entries by action, the system log by level, all by kind of log. */
import { activityKinds } from '@nazar/contract/activity.ts';
import type { LogKindCount } from '@nazar/contract/analytics.ts';
import { systemLogLevels, type SystemLogLevel } from '@nazar/contract/system-logs.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { useWords } from '../../words.ts';
import { CountBars } from './count-bars.tsx';
import { Nothing } from '../panel-card.tsx';
import { leadTo, leadToEntries } from '../figures.ts';
import type { PanelProps } from '../panel-context.ts';

const kindOf = (name: string) => activityKinds.find((kind) => kind === name);

export interface NamedCount {
  readonly name: string;
  readonly value: number;
}

/** Every level and kind of log has a count, nought too. */
const isEmpty = (counts: readonly NamedCount[]): boolean =>
  counts.every(({ value }) => value === 0);

interface ActionsProps extends Pick<PanelProps, 'asked'> {
  counts: readonly NamedCount[];
}

export function Actions({ asked, counts }: ActionsProps) {
  const { t } = useTranslation();
  const words = useWords();
  const navigate = useNavigate();
  if (counts.length === 0) return <Nothing title={t('panels.empty.overview')} />;
  return (
    <CountBars
      label={t('panels.byAction')}
      rowHeader={t('activityLog.action')}
      series={t('panels.entries')}
      rows={counts.map(({ name, value }) => {
        const kind = kindOf(name);
        return { key: name, label: kind === undefined ? name : words.action(kind), value };
      })}
      onOpen={(name) =>
        void navigate({
          to: '/activity-log',
          search: leadToEntries(asked, 'action', { action: kindOf(name) }),
        })
      }
    />
  );
}

const levelOf = (name: string) => systemLogLevels.find((level) => level === name);

interface LevelsProps extends Pick<PanelProps, 'onChange'> {
  counts: readonly NamedCount[];
}

export function Levels({ counts, onChange }: LevelsProps) {
  const { t } = useTranslation();
  if (isEmpty(counts)) return <Nothing title={t('panels.noChart')} />;
  const open = (level: SystemLogLevel | undefined): void =>
    onChange(leadTo('overview', 'level', level === undefined ? {} : { level }));
  return (
    <CountBars
      label={t('panels.byLevel')}
      rowHeader={t('panels.filter.level')}
      series={t('panels.systemLogs')}
      rows={counts.map(({ name, value }) => {
        const level = levelOf(name);
        return {
          key: name,
          label: level === undefined ? name : t(`systemLog.levels.${level}`),
          value,
        };
      })}
      onOpen={(name) => open(levelOf(name))}
    />
  );
}

interface LogKindsProps extends PanelProps {
  counts: readonly LogKindCount[];
}

export function LogKinds({ asked, onChange, counts }: LogKindsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const labels: Readonly<Record<LogKindCount['name'], string>> = {
    activity: t('panels.entries'),
    system: t('panels.systemLogs'),
    face_recognition: t('panels.names.faces'),
  };
  const open = (name: string): void => {
    if (name === 'face_recognition') onChange(leadTo('overview', 'visits'));
    else if (name === 'system') onChange(leadTo('overview', 'lines'));
    else
      void navigate({
        to: '/activity-log',
        search: leadToEntries(asked, 'entries'),
      });
  };
  if (isEmpty(counts)) return <Nothing title={t('panels.noChart')} />;
  return (
    <CountBars
      label={t('panels.byType')}
      rowHeader={t('panels.byType')}
      series={t('panels.logs')}
      rows={counts.map(({ name, value }) => ({ key: name, label: labels[name] ?? name, value }))}
      onOpen={open}
    />
  );
}
