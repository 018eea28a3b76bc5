/** What an entry changed, in one line of a list: the first fields with their values, and how many more there are. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import type { Translate } from '#lib/i18n.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Highlight } from '../highlight.tsx';
import { changesOf, type FieldChange } from './changes.ts';
import { fieldLabel, fieldValue } from './field-words.ts';

const SHOWN = 3;

export function ChangeLine({ entry, term }: { entry: ActivityEntry; term: string | undefined }) {
  const { t } = useTranslation();
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  const words = changes.slice(0, SHOWN).map((change) => changeWords(t, change));
  const more = changes.length - words.length;
  if (more > 0) words.push(t('activityLog.moreChanges', { number: more }));
  return (
    <span className="line-clamp-2 w-full text-meta text-muted [overflow-wrap:anywhere]">
      <Highlight text={joined(words)} term={term} />
    </span>
  );
}

/** A field without recorded values is named; a change of nothing in particular is its values alone. */
function changeWords(t: Translate, { field, values }: FieldChange): string {
  const label = field === '' ? '' : fieldLabel(t, field);
  if (values === null) return label;
  const before = fieldValue(t, field, values.before);
  const after = fieldValue(t, field, values.after);
  if (label === '') return t('activityLog.changedValue', { before, after });
  return t('activityLog.changedField', { field: label, before, after });
}
