/** A rule as a form: what it is about, how urgent, where, and after what quiet time its alerts are over. */
import {
  alertKinds,
  maxQuietMinutes,
  type AlertKind,
  type AlertRule,
} from '@nazar/contract/alerts.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { Banner } from '#ui/banner.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { categoriesQuery, useAddRule, useChangeRule } from '../queries.ts';
import { levels } from '../search.ts';
import { Ticks } from './ticks.tsx';
import { isOfCameras, isOfPeople, useRuleWords } from './rule-words.ts';

export interface RuleDialogProps {
  /** Null: a new one. */
  rule: AlertRule | null;
  onClose: () => void;
}

const newRule: AlertRule = {
  id: '',
  kind: 'unknown_person',
  level: 'warning',
  is_enabled: true,
  cameras: null,
  categories: [],
  quiet_minutes: 10,
};

export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      title={rule === null ? t('alertRules.addTitle') : t('alertRules.editTitle')}
      onClose={onClose}
    >
      <RuleForm rule={rule} onClose={onClose} />
    </Dialog>
  );
}

type Fault = 'alertRules.noCameraChosen' | 'alertRules.noCategoryChosen' | 'alertRules.quietRange';

function faultOf({ kind, cameras, categories }: AlertRule, quietMinutes: number): Fault | null {
  if (isOfCameras(kind) && cameras?.length === 0) return 'alertRules.noCameraChosen';
  if (kind === 'watched_person' && categories.length === 0) return 'alertRules.noCategoryChosen';
  const isInRange =
    Number.isInteger(quietMinutes) && quietMinutes >= 1 && quietMinutes <= maxQuietMinutes;
  return isOfPeople(kind) && !isInRange ? 'alertRules.quietRange' : null;
}

/** What the rule has of its kind; the rest of the form is not sent. */
const sentOf = (rule: AlertRule, quietMinutes: number): Omit<AlertRule, 'id' | 'kind'> => ({
  level: rule.level,
  is_enabled: rule.is_enabled,
  cameras: isOfCameras(rule.kind) ? rule.cameras : null,
  categories: rule.kind === 'watched_person' ? rule.categories : [],
  quiet_minutes: isOfPeople(rule.kind) ? quietMinutes : rule.quiet_minutes,
});

function RuleForm({ rule, onClose }: RuleDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<AlertRule>(rule ?? newRule);
  const [quiet, setQuiet] = useState(String(draft.quiet_minutes));
  const [fault, setFault] = useState<Fault | null>(null);
  const [add, change] = [useAddRule(), useChangeRule()];
  const sentence = useRuleWords()(draft);
  const set = (next: Partial<AlertRule>): void => setDraft({ ...draft, ...next });
  const send = (): void => {
    const wrong = faultOf(draft, Number(quiet));
    setFault(wrong);
    if (wrong !== null) return;
    const fields = sentOf(draft, Number(quiet));
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
      {isOfCameras(draft.kind) && <Cameras draft={draft} onChange={set} />}
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

interface PartProps {
  draft: AlertRule;
  onChange: (next: Partial<AlertRule>) => void;
}

function Categories({ draft, onChange }: PartProps) {
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

function Cameras({ draft, onChange }: PartProps) {
  const { t } = useTranslation();
  const { cameras } = useOwnCameras();
  return (
    <div className="grid grid-cols-1 justify-items-start gap-3">
      <Segmented
        label={t('alertRules.where')}
        value={draft.cameras === null ? 'all' : 'chosen'}
        onChange={(which) => onChange({ cameras: which === 'all' ? null : [] })}
        options={[
          { value: 'all', label: t('alerts.allCameras') },
          { value: 'chosen', label: t('alertRules.chosenCameras') },
        ]}
      />
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
