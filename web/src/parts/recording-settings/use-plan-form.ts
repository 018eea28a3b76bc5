/** The form of recording settings: its fields, the week beside them, and what of it would be saved. */
import { RecordingSettingsPatch, type RecordingSettings } from '@nazar/contract/recording-plans.ts';
import { z } from 'zod/mini';
import { useContractForm, type ContractForm } from '#parts/use-contract-form.ts';
import { planOf, type Plan } from './settings-change.ts';
import { useWeek, type Week } from '../week/use-week.ts';

/** The week has rows of its own, which say themselves what is wrong with them. */
const Fields = z.omit(RecordingSettingsPatch, { schedule: true });
type Fields = z.infer<typeof Fields>;

export interface PlanForm {
  readonly form: ContractForm<z.input<typeof Fields>, Fields>;
  readonly week: Week;
  /** As it would be saved; null while something is wrong. */
  readonly plan: Plan | null;
  /** What would be recorded. */
  readonly recorded: RecordingSettings['recorded'];
  readonly qualities: RecordingSettings['qualities'];
  readonly reset: (plan: Plan) => void;
}

function fieldsOf(plan: Plan): Omit<Plan, 'schedule'> {
  const { schedule: _, ...fields } = plan;
  return fields;
}

export function usePlanForm(saved: RecordingSettings): Omit<PlanForm, 'recorded' | 'qualities'> {
  const form = useContractForm(Fields, fieldsOf(planOf(saved)));
  const week = useWeek(saved.schedule);
  const typed = Fields.safeParse(form.watch());
  const isWhole = typed.success && week.schedule !== undefined;
  const plan = isWhole ? { ...planOf(saved), ...typed.data, schedule: week.schedule } : null;
  return {
    form,
    week,
    plan: plan as Plan | null,
    reset: (next) => {
      form.reset(fieldsOf(next));
      week.reset(next.schedule);
    },
  };
}
