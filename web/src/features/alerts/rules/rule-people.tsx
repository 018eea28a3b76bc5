/** Whom a rule about people is about, how sure recognition is of them, and how long their alerts last. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { TextField } from '#ui/fields.tsx';
import { categoriesQuery } from '../queries.ts';
import type { TypedNumbers } from './rule-draft.ts';
import type { RulePartProps } from './rule-places.tsx';
import { isOfEnrolled } from './rule-words.ts';
import { Ticks } from '#parts/ticks.tsx';

export function RuleCategories({ draft, onChange }: RulePartProps) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  const categories = useQuery(categoriesQuery).data?.results ?? [];
  const isExcept = draft.kind === 'known_person';
  return (
    <Ticks
      label={isExcept ? t('alertRules.exceptCategories') : t('alertRules.categories')}
      {...(isExcept && { hint: t('alertRules.exceptHint') })}
      choices={categories.map(({ id, name }) => ({ id, name: categoryName(name) }))}
      chosen={draft.categories}
      onChange={(ids) => onChange({ categories: ids })}
    />
  );
}

export interface RuleNumbersProps extends Pick<RulePartProps, 'draft'> {
  typed: TypedNumbers;
  onType: (next: Partial<TypedNumbers>) => void;
}

export function RuleNumbers({ draft: { kind }, typed, onType }: RuleNumbersProps) {
  const { t } = useTranslation();
  return (
    <>
      {kind === 'returning_stranger' && (
        <TextField
          label={t('alertRules.visits')}
          hint={t('alertRules.visitsHint')}
          inputMode="numeric"
          value={typed.visits}
          onChange={({ target }) => onType({ visits: target.value })}
        />
      )}
      {isOfEnrolled(kind) && (
        <TextField
          label={t('alertRules.confidence')}
          hint={t('alertRules.confidenceHint')}
          inputMode="numeric"
          value={typed.confidence}
          onChange={({ target }) => onType({ confidence: target.value })}
        />
      )}
      <TextField
        label={t('alertRules.quiet')}
        hint={t('alertRules.quietHint')}
        inputMode="numeric"
        value={typed.quiet}
        onChange={({ target }) => onType({ quiet: target.value })}
      />
    </>
  );
}
