import { systemLogLevels } from '@nazar/contract/system-logs.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { SelectField } from '#ui/fields.tsx';
import { withChosen } from '../choices.ts';
import type { PanelProps } from '../panel-context.ts';
import { countsQuery } from './lines.ts';
import { useSourceName } from './source-name.ts';

type LineFilterProps = Pick<PanelProps, 'asked' | 'onChange'>;

export function LevelFilter({ asked: { search }, onChange }: LineFilterProps) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t('panels.filter.level')}
      value={search.level ?? ''}
      onChange={({ target }) =>
        onChange({ level: systemLogLevels.find((level) => level === target.value) })
      }
      options={[
        { value: '', label: t('panels.allLevels') },
        ...systemLogLevels.map((value) => ({ value, label: t(`systemLog.levels.${value}`) })),
      ]}
    />
  );
}

/** Offers the sources that logged something in this time. */
export function SourceFilter({ asked, onChange }: LineFilterProps) {
  const { t } = useTranslation();
  const { source } = asked.search;
  const { data } = useQuery(countsQuery(asked));
  const nameOf = useSourceName();
  const sources = (data ?? []).map((count) => ({
    value: count.source,
    label: nameOf(count.source),
  }));
  return (
    <SelectField
      label={t('panels.filter.source')}
      value={source ?? ''}
      onChange={({ target }) => onChange({ source: target.value || undefined })}
      options={[
        { value: '', label: t('panels.allSources') },
        ...withChosen(sources, source, nameOf(source ?? '')),
      ]}
    />
  );
}
