/** When a rule about people counts: at times of a week, and in modes of the house. */
import { watchfulModes } from '@nazar/contract/house-mode.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { Week } from '#parts/week/use-week.ts';
import { WeekTable } from '#parts/week/week-table.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Switch } from '#ui/switch.tsx';
import type { RulePartProps } from './rule-places.tsx';

export interface RuleTimesProps extends RulePartProps {
  week: Week;
  /** The user tried to save. */
  strict: boolean;
}

export function RuleTimes({ draft, onChange, week, strict }: RuleTimesProps) {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-1 gap-4">
      <Switch
        label={t('alertRules.atTimes')}
        hint={t('alertRules.atTimesHint')}
        checked={week.isOn}
        onChange={({ target }) => week.put({ isOn: target.checked })}
      />
      {week.isOn && <WeekTable label={t('alertRules.timesOfWeek')} week={week} strict={strict} />}
      <Modes draft={draft} onChange={onChange} />
    </div>
  );
}

function Modes({ draft: { modes }, onChange }: RulePartProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-ui font-medium">{t('alertRules.inModes')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {watchfulModes.map((mode) => (
          <Checkbox
            key={mode}
            label={t(`alerts.modes.${mode}`)}
            checked={modes.includes(mode)}
            onChange={({ target }) =>
              onChange({
                modes: watchfulModes.filter((one) =>
                  one === mode ? target.checked : modes.includes(one),
                ),
              })
            }
          />
        ))}
      </div>
      <p className="text-meta text-muted">{t('alertRules.inModesHint')}</p>
    </fieldset>
  );
}
