/** What held when the visit got its name: recognition's word, and users', the oldest first, each with its time and entry. */
import { hiddenName } from '@nazar/contract/names.ts';
import type { DetailedVisit, VisitDecision } from '@nazar/contract/visits.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { usePersonName } from '../use-person-name.ts';
import { wayLook } from './person-link.tsx';

export function VisitDecisions({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const { decisions, is_recognized: isKnown, person_id: id, person_name: name } = visit;
  const isHidden = isKnown && id === null && name === hiddenName;
  // There is nothing to show of an unknown person about whom no user decided anything.
  if (isHidden || (!isKnown && decisions.length === 0)) return null;
  return (
    <section aria-labelledby="visit-then" className="grid grid-cols-1 gap-2">
      <h3 id="visit-then" className="border-b border-line pb-1 text-ui font-semibold">
        {t('visit.then.title')}
      </h3>
      {decisions.length === 0 ? (
        <p className="text-ui text-muted">{t('visit.then.unknown')}</p>
      ) : (
        <ol className="grid gap-2 text-ui">
          {decisions.map((decision) => (
            <Decision key={`${decision.kind} ${decision.at}`} decision={decision} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Decision({ decision }: { decision: VisitDecision }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { at, entry, pack } = decision;
  return (
    <li className="grid grid-cols-1 gap-0.5">
      <span className="[overflow-wrap:anywhere]">
        <Sentence decision={decision} />
      </span>
      <span className="flex flex-wrap items-center gap-x-3 text-meta text-muted">
        {at === null ? (
          <span>{t('visit.then.noTime')}</span>
        ) : (
          <time dateTime={at}>{formatTime(at, { dateStyle: 'medium', timeStyle: 'medium' })}</time>
        )}
        {pack !== null && (
          <span className="[overflow-wrap:anywhere]">{t('visit.then.model', { model: pack })}</span>
        )}
        {entry !== null && (
          <Link to="/activity-log" search={{ entry }} className={wayLook}>
            {t('visit.then.entry')}
          </Link>
        )}
      </span>
    </li>
  );
}

function Sentence({ decision: { kind, by, name, confidence } }: { decision: VisitDecision }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const nameOf = usePersonName();
  const user = by?.name ?? '';
  switch (kind) {
    case 'recognized': {
      const sure = formatPercent(confidence ?? 0);
      if (name === null) return t('visit.then.recognized', { confidence: sure });
      const who = nameOf({ person_id: null, person_name: name });
      return t('visit.then.recognizedAs', { name: who, confidence: sure });
    }
    case 'identify':
      return by === null ? t('visit.then.identify') : t('visit.then.identifyBy', { user });
    case 'merge':
      return by === null ? t('visit.then.merge') : t('visit.then.mergeBy', { user });
    case 'split':
      return by === null ? t('visit.then.split') : t('visit.then.splitBy', { user });
    case 'not_this_person':
      return by === null
        ? t('visit.then.notThisPerson')
        : t('visit.then.notThisPersonBy', { user });
    default:
      return kind satisfies never;
  }
}
