/** Where a rule counts: at all cameras, or at chosen ones and those of chosen groups. */
import type { AlertRule } from '@nazar/contract/alert-rules.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Ticks } from '#parts/ticks.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { withGone } from './gone.ts';
import { useKnownPlaces } from './use-known-places.ts';

export interface RulePartProps {
  draft: AlertRule;
  onChange: (next: Partial<AlertRule>) => void;
}

export function RulePlaces({ draft, onChange }: RulePartProps) {
  const { t } = useTranslation();
  const known = useKnownPlaces();
  // What was deleted stays in the list after it was unticked, until the form is closed.
  const [named] = useState({ cameras: draft.cameras ?? [], groups: draft.camera_groups });
  const cameras = withGone(known.cameras, named.cameras, t('alertRules.goneCamera'));
  const groups = withGone(known.groups, named.groups, t('alertRules.goneGroup'));
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
