/** A rule as a form: what it is about, how urgent, where and when, and after what quiet time its alerts are over. */
import {
  leastVisits,
  maxQuietMinutes,
  mostVisits,
  type AlertRule,
} from '@nazar/contract/alert-rules.ts';
import { alertKinds, type AlertKind } from '@nazar/contract/alerts.ts';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useWeek } from '#parts/week/use-week.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { useAddRule, useChangeRule } from '../queries.ts';
import { levels } from '../search.ts';
import { faultOf, newRule, sentOf, typedOf, withNumbers, type RuleFault } from './rule-draft.ts';
import { RuleCategories, RuleNumbers } from './rule-people.tsx';
import { RulePlaces } from './rule-places.tsx';
import { RuleTimes } from './rule-times.tsx';
import { isOfCameras, isOfEnrolled, isOfPeople, useRuleWords } from './rule-words.ts';

export interface RuleDialogProps {
  /** Null: a new one. */
  rule: AlertRule | null;
  onClose: () => void;
}

/** The sentences of faults name these. */
const bounds = { max: maxQuietMinutes, least: leastVisits, most: mostVisits };

export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      width="large"
      title={rule === null ? t('alertRules.addTitle') : t('alertRules.editTitle')}
      onClose={onClose}
    >
      <RuleForm rule={rule} onClose={onClose} />
    </Dialog>
  );
}

function RuleForm({ rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<AlertRule>(rule ?? newRule);
  const [typed, setTyped] = useState(() => typedOf(draft));
  const [fault, setFault] = useState<RuleFault | null>(null);
  const [wasSent, setWasSent] = useState(false);
  const week = useWeek(draft.schedule);
  // While a time is being typed, the sentence has the times from before.
  const { schedule = draft.schedule } = week;
  const whole = withNumbers({ ...draft, schedule }, typed);
  const [add, change] = [useAddRule(), useChangeRule()];
  const sentence = useRuleWords()(whole);
  const set = (next: Partial<AlertRule>): void => setDraft({ ...draft, ...next });
  const send = (): void => {
    const wrong = faultOf(whole, { numbers: typed, weekFault: week.fault });
    setWasSent(true);
    setFault(wrong);
    if (wrong !== null) return;
    const fields = sentOf(whole);
    const done = { onSuccess: onClose };
    if (rule === null) add.mutate({ kind: draft.kind, ...fields }, done);
    else change.mutate({ id: rule.id, change: fields }, done);
  };
  const error = rule === null ? add.error : change.error;
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {fault !== null && <Banner tone="error">{t(fault, bounds)}</Banner>}
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      <output className="block rounded-control bg-surface-2 p-3 text-ui font-medium [overflow-wrap:anywhere]">
        {sentence}
      </output>
      {rule === null && (
        <SelectField
          label={t('alertRules.kind')}
          value={draft.kind}
          onChange={({ target }) => set({ kind: target.value as AlertKind })}
          options={alertKinds.map((value) => ({ value, label: t(`alertRules.kinds.${value}`) }))}
        />
      )}
      <SelectField
        label={t('alerts.level')}
        value={draft.level}
        onChange={({ target }) =>
          set({ level: levels.find((one) => one === target.value) ?? draft.level })
        }
        options={levels.map((value) => ({ value, label: t(`alerts.levels.${value}`) }))}
      />
      {isOfEnrolled(draft.kind) && <RuleCategories draft={draft} onChange={set} />}
      {isOfCameras(draft.kind) && <RulePlaces draft={draft} onChange={set} />}
      {isOfPeople(draft.kind) && (
        <RuleTimes draft={draft} onChange={set} week={week} strict={wasSent} />
      )}
      {isOfPeople(draft.kind) && (
        <RuleNumbers
          draft={draft}
          typed={typed}
          onType={(next) => setTyped({ ...typed, ...next })}
        />
      )}
      <FormActions
        label={t('ui.save')}
        busy={add.isPending || change.isPending}
        onCancel={onClose}
      />
    </form>
  );
}
