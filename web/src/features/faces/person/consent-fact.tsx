import type { Consent } from '@nazar/contract/privacy.ts';
import type { Face } from '@nazar/contract/faces.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Badge } from '#ui/badge.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { consentQuery } from '../queries.ts';

/** On what grounds they are recognised; that nothing was recorded is said, too. */
export function ConsentFact({ face }: { face: Face }) {
  const { t } = useTranslation();
  const consent = useQuery(consentQuery(face.id));
  return (
    <section>
      <h3 className="text-ui font-medium text-muted">{t('consent.title')}</h3>
      <QueryView query={consent} skeleton={<Skeleton className="h-6 w-40" />}>
        {(known) => <Basis consent={known} />}
      </QueryView>
    </section>
  );
}

function Basis({ consent }: { consent: Consent }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { basis, expires_at, document, has_ended, allows_recognition } = consent;
  const day = (date: string): string =>
    formatTime(`${date}T00:00:00.000Z`, { dateStyle: 'medium', timeZone: 'UTC' });
  const more = [
    expires_at !== null &&
      t(has_ended ? 'consent.endedOn' : 'consent.until', { day: day(expires_at) }),
    document !== '' && document,
    consent.recorded_by_name !== '' && t('consent.recordedBy', { name: consent.recorded_by_name }),
  ].filter((part) => part !== false);
  return (
    <div className="grid justify-items-start gap-1 text-ui">
      <span className="flex flex-wrap items-center gap-2">
        {t(`consent.basis.${basis}`)}
        {!allows_recognition && <Badge tone="warning">{t('consent.notRecognised')}</Badge>}
      </span>
      {more.length > 0 && <span className="text-meta break-words text-muted">{joined(more)}</span>}
    </div>
  );
}
