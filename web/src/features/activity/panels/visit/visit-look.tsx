/** The estimated attributes of a visit's face; nothing where they were not inferred, or are gone. */
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Facts } from '#ui/data-list.tsx';
import { useAttributeWords } from '../use-attribute-words.ts';

export function VisitLook({ visit: { attributes } }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const words = useAttributeWords();
  const facts = attributes ? words.facts(attributes) : [];
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby="visit-look" className="grid grid-cols-1 gap-3">
      <h3 id="visit-look" className="border-b border-line pb-1 text-ui font-semibold">
        {t('visit.look.title')}
      </h3>
      <Facts facts={facts} />
      <p className="text-meta text-muted">{t('visit.look.hint')}</p>
    </section>
  );
}
