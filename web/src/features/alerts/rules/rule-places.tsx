/** Where a rule counts: at all cameras, or at chosen ones and those of chosen groups. */
import type { AlertRule } from '@nazar/contract/alert-rules.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { Ticks } from '#parts/ticks.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { cameraGroupsQuery } from '../queries.ts';

export interface RulePartProps {
  draft: AlertRule;
  onChange: (next: Partial<AlertRule>) => void;
}

export function RulePlaces({ draft, onChange }: RulePartProps) {
  const { t } = useTranslation();
  const { cameras } = useOwnCameras();
  const groups = useQuery(cameraGroupsQuery).data?.results ?? [];
  return (
    <div className="grid grid-cols-1 justify-items-start gap-3">
      <Segmented
        label={t('alertRules.where')}
        value={draft.cameras === null ? 'all' : 'chosen'}
        onChange={(which) => onChange({ cameras: which === 'all' ? null : [], camera_groups: [] })}
        options={[
          { value: 'all', label: t('alerts.allCameras') },
          { value: 'chosen', label: t('alertRules.chosenCameras') },
        ]}
      />
      {draft.cameras !== null && groups.length > 0 && (
        <Ticks
          label={t('alertRules.groups')}
          hint={t('alertRules.groupsHint')}
          choices={groups}
          chosen={draft.camera_groups}
          onChange={(ids) => onChange({ camera_groups: ids })}
        />
      )}
      {draft.cameras !== null && (
        <Ticks
          label={t('alertRules.chosenCameras')}
          choices={cameras}
          chosen={draft.cameras}
          onChange={(ids) => onChange({ cameras: ids })}
        />
      )}
    </div>
  );
}
