/** A rule as a form: what it is about, how urgent, where and when, and after what quiet time its alerts are over. */
import { maxQuietMinutes, type AlertRule } from '@nazar/contract/alert-rules.ts';
import { alertKinds, type AlertKind } from '@nazar/contract/alerts.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { Ticks } from '#parts/ticks.tsx';
import { useWeek } from '#parts/week/use-week.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { categoriesQuery, useAddRule, useChangeRule } from '../queries.ts';
import { levels } from '../search.ts';
import { faultOf, newRule, sentOf, type RuleFault } from './rule-draft.ts';
import { RulePlaces, type RulePartProps } from './rule-places.tsx';
import { RuleTimes } from './rule-times.tsx';
import { isOfCameras, isOfPeople, useRuleWords } from './rule-words.ts';

export interface RuleDialogProps {
  /** Null: a new one. */
  rule: AlertRule | null;
  onClose: () => void;
}

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
  const [quiet, setQuiet] = useState(String(draft.quiet_minutes));
  const [fault, setFault] = useState<RuleFault | null>(null);
  const [wasSent, setWasSent] = useState(false);
  const week = useWeek(draft.schedule);
  // While a time is being typed, the sentence has the times from before.
  const whole = week.schedule === undefined ? draft : { ...draft, schedule: week.schedule };
  const [add, change] = [useAddRule(), useChangeRule()];
  const sentence = useRuleWords()(whole);
  const set = (next: Partial<AlertRule>): void => setDraft({ ...draft, ...next });
  const send = (): void => {
    const wrong = faultOf(whole, { quietMinutes: Number(quiet), weekFault: week.fault });
    setWasSent(true);
    setFault(wrong);
    if (wrong !== null) return;
    const fields = sentOf(whole, Number(quiet));
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
      {fault !== null && <Banner tone="error">{t(fault, { max: maxQuietMinutes })}</Banner>}
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
      {draft.kind === 'watched_person' && <Categories draft={draft} onChange={set} />}
      {isOfCameras(draft.kind) && <RulePlaces draft={draft} onChange={set} />}
      {isOfPeople(draft.kind) && (
        <RuleTimes draft={draft} onChange={set} week={week} strict={wasSent} />
      )}
      {isOfPeople(draft.kind) && (
        <TextField
          label={t('alertRules.quiet')}
          hint={t('alertRules.quietHint')}
          inputMode="numeric"
          value={quiet}
          onChange={({ target }) => setQuiet(target.value)}
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

function Categories({ draft, onChange }: RulePartProps) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  const categories = useQuery(categoriesQuery).data?.results ?? [];
  return (
    <Ticks
      label={t('alertRules.categories')}
      choices={categories.map(({ id, name }) => ({ id, name: categoryName(name) }))}
      chosen={draft.categories}
      onChange={(ids) => onChange({ categories: ids })}
    />
  );
}
