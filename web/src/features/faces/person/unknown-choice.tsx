/**
 * Unknown people who may be the person that is erased or exported: those with the same face are
 * selected, less similar ones are offered, and nothing is taken that was not shown.
 */
import type { UnknownMatch, UnknownMatches } from '@nazar/contract/privacy.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { joined } from '#lib/joined.ts';
import { QueryView } from '#parts/query-view.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Spinner } from '#ui/spinner.tsx';

export interface UnknownChoiceProps {
  query: UseQueryResult<UnknownMatches>;
  /** What is done with what is selected. */
  text: string;
  isChosen: (match: UnknownMatch) => boolean;
  /** Absent where it may not be selected. */
  mayChoose: (match: UnknownMatch) => boolean;
  onChoose: (id: string, is: boolean) => void;
}

export function UnknownChoice({ query, text, ...choice }: UnknownChoiceProps) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="unknown-matches" className="grid grid-cols-1 gap-2">
      <h3 id="unknown-matches" className="text-ui font-semibold">
        {t('unknownMatches.title')}
      </h3>
      <QueryView query={query} skeleton={<Spinner />} failedTitle={t('unknownMatches.failed')}>
        {({ results, more, not_comparable: others, ...searched }) => (
          <>
            <p className="text-ui text-muted">
              {results.length > 0
                ? text
                : t(
                    searched.is_comparable ? 'unknownMatches.none' : 'unknownMatches.notComparable',
                  )}
            </p>
            {results.length > 0 && (
              <ul className="grid grid-cols-1 gap-2">
                {results.map((match) => (
                  <Match key={match.id} match={match} {...choice} />
                ))}
              </ul>
            )}
            {more && <p className="text-meta text-muted">{t('unknownMatches.more')}</p>}
            {others > 0 && (
              <p className="text-meta text-muted">
                {t('unknownMatches.otherModel', { count: others })}
              </p>
            )}
            {!searched.all_cameras && (
              <p className="text-meta text-muted">{t('unknownMatches.someCameras')}</p>
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}

function Match({
  match,
  isChosen,
  mayChoose,
  onChoose,
}: { match: UnknownMatch } & Pick<UnknownChoiceProps, 'isChosen' | 'mayChoose' | 'onChoose'>) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const { id, number, cameras, pictures } = match;
  const name = number === null ? t('unknownMatches.single') : t('strangers.name', { number });
  const mayBe = mayChoose(match);
  return (
    <li className="card grid grid-cols-1 gap-2 p-2.5">
      <div className="flex items-start justify-between gap-3">
        <Checkbox
          label={name}
          hint={<When match={match} />}
          checked={isChosen(match)}
          disabled={!mayBe}
          onChange={({ target }) => onChoose(id, target.checked)}
        />
        <span className="figures shrink-0 py-0.5 text-ui">
          {t('unknownMatches.alike', { share: formatPercent(match.probability) })}
        </span>
      </div>
      {pictures.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {pictures.map((picture) => (
            <SecureImage
              key={picture}
              src={picture}
              alt={t('unknown.picture', { camera: joined(cameras, ', ') })}
              className="size-12 rounded-control"
              fallback={<div className="size-12 rounded-control bg-surface-2" />}
            />
          ))}
        </div>
      )}
      {match.pictures_hidden && (
        <p className="text-meta text-muted">{t('unknownMatches.hiddenPictures')}</p>
      )}
      {!mayBe && <p className="text-meta text-muted">{t('unknownMatches.notYours')}</p>}
    </li>
  );
}

/** How often, from when to when, and where. */
function When({ match: { visits, first_at, last_at, cameras } }: { match: UnknownMatch }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const day = (at: string): string => formatTime(at, { dateStyle: 'medium' });
  const [first, last] = [day(first_at), day(last_at)];
  const days = first === last ? first : t('unknownMatches.days', { first, last });
  return <>{joined([t('panels.countVisits', { count: visits }), days, joined(cameras, ', ')])}</>;
}
