/**
 * Why a face is taken for someone, or for no one, in words: by what is known today. What was known then stands beside
 * it (visit-decisions.tsx).
 */
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { useNearName } from './near-name.ts';
import { NearestPeople } from './nearest-people.tsx';
import { differs, explanationQuery, gradeOf } from './visit.ts';

export function VisitReason({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const hasPicture = visit.face_image_url !== null;
  const query = useQuery({ ...explanationQuery(visit.id), enabled: hasPicture });
  // A reader who may not ask is not shown that there is an answer.
  if (query.error instanceof Problem && query.error.status === 403) return null;
  return (
    <section aria-labelledby="visit-reason" className="grid grid-cols-1 gap-3">
      <h3 id="visit-reason" className="border-b border-line pb-1 text-ui font-semibold">
        {t('visit.why')}
      </h3>
      {hasPicture ? (
        <QueryView
          query={query}
          skeleton={<Skeleton className="h-40" />}
          failedTitle={t('visit.whyFailed')}
        >
          {(explanation) => <Reason visit={visit} explanation={explanation} />}
        </QueryView>
      ) : (
        <p className="text-ui text-muted">
          {t(visit.picture_hidden ? 'visit.hiddenReason' : 'visit.noReason')}
        </p>
      )}
    </section>
  );
}

interface ReasonProps {
  visit: DetailedVisit;
  explanation: MatchExplanation;
}

function Reason({ visit, explanation }: ReasonProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid gap-1">
        <p className="text-meta text-muted">{t('visit.today')}</p>
        <p className="text-ui font-medium [overflow-wrap:anywhere]">
          <Verdict explanation={explanation} />
        </p>
        {differs(visit, explanation) && !visit.is_corrected && (
          <p className="text-ui text-unrecognized-text">{t('visit.differs')}</p>
        )}
        {explanation.gallery_size > 0 && (
          <p className="text-ui text-muted">
            {t('visit.compared', { count: explanation.gallery_size })}
          </p>
        )}
      </div>
      <Measures explanation={explanation} />
      {explanation.nearest.length > 0 && <NearestPeople people={explanation.nearest} />}
    </>
  );
}

function Verdict({ explanation: { verdict, limit, nearest } }: { explanation: MatchExplanation }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const nameOf = useNearName();
  const [first] = nearest;
  if (verdict === 'nobody' || first === undefined) return t('visit.verdicts.nobody');
  return t(`visit.verdicts.${verdict}`, {
    name: nameOf(first),
    probability: formatPercent(first.probability),
    limit: formatPercent(limit),
  });
}

/** How clearly the first is ahead of the next; the numbers behind it on a press. */
function Measures({ explanation }: { explanation: MatchExplanation }) {
  const { t } = useTranslation();
  const { formatNumber, formatPercent } = useFormat();
  const { quality, lead, limit, pack, nearest } = explanation;
  const times = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const [first] = nearest;
  const numbers = [
    ...(first === undefined
      ? []
      : [{ name: t('visit.confidence'), value: formatPercent(first.probability) }]),
    { name: t('visit.required'), value: formatPercent(limit) },
    ...(lead === null
      ? []
      : [
          {
            name: t('visit.lead'),
            value: t('visit.leadTimes', { times: formatNumber(lead, times) }),
          },
        ]),
    { name: t('visit.quality'), value: formatPercent(quality) },
    {
      name: t('visit.model'),
      value: <code className="text-meta [overflow-wrap:anywhere]">{pack}</code>,
    },
  ];
  const grade = gradeOf(explanation);
  return (
    <>
      {grade !== null && (
        <Facts facts={[{ name: t('visit.lead'), value: t(`visit.leads.${grade}`) }]} />
      )}
      <details className="text-ui">
        <summary className="w-fit cursor-pointer text-primary-text underline-offset-4 hover:underline">
          {t('visit.numbers')}
        </summary>
        <div className="pt-2">
          <Facts facts={numbers} />
        </div>
      </details>
    </>
  );
}
