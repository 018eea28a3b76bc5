import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { mayReviewUnknown } from '#api/rights.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import { CorrectionNote } from './correction-note.tsx';
import { StatusField } from './status-field.tsx';
import { StrangerPicture, StrangerStatus } from './stranger-card.tsx';
import type { StrangerStepProps } from './stranger-step.ts';
import { StrangerVisits } from './stranger-visits.tsx';
import { changes, hasMergeable, strangersQuery } from './strangers.ts';

export interface StrangerFactsProps extends StrangerStepProps {
  onStep: (step: 'identify' | 'merge') => void;
  onLeave?: (() => void) | undefined;
}

/** What is known of an unknown person and, for users who may name them, what can be said of them. */
export function StrangerFacts({ stranger, onSaid, onStep, onLeave }: StrangerFactsProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const mayReview = mayReviewUnknown(useUser());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const maySplit = mayReview && stranger.face === null && stranger.count > 1;
  const split = useChange('detections', () => changes.split(stranger.id, [...chosen]));
  const hasOthers = useHasOthers(stranger, mayReview);
  const name = t('strangers.name', { number: stranger.number });
  const at = (time: string): string =>
    formatTime(time, { dateStyle: 'medium', timeStyle: 'short' });

  const choose = (visit: string, is: boolean): void => {
    const others = [...chosen].filter((id) => id !== visit);
    setChosen(new Set(is ? [...others, visit] : others));
  };
  const splitOff = (): void =>
    split.mutate(undefined, {
      onSuccess: ({ number }) => {
        setChosen(new Set());
        const other = t('strangers.name', { number });
        // Fewer visits are left; the other is a stranger of their own.
        const left = { ...stranger, count: stranger.count - chosen.size };
        onSaid(left, t('strangers.splitDone', { count: chosen.size, name: other }));
      },
    });

  return (
    <div className="grid gap-5">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-[12rem_1fr]">
        <div className="mx-auto w-48 overflow-hidden rounded-card sm:mx-0">
          <StrangerPicture stranger={stranger} />
        </div>
        <div className="grid content-start gap-4">
          {mayReview ? (
            <StatusField stranger={stranger} onSaid={onSaid} />
          ) : (
            <div>
              <StrangerStatus status={stranger.status} />
            </div>
          )}
          <Facts
            facts={[
              ...(stranger.face_name === null
                ? []
                : [
                    {
                      name: t('strangers.identifiedAs'),
                      value: <Identified stranger={stranger} onLeave={onLeave} />,
                    },
                  ]),
              { name: t('strangers.lastSeen'), value: at(stranger.timestamp) },
              { name: t('strangers.firstSeen'), value: at(stranger.first_seen) },
              { name: t('strangers.where'), value: stranger.camera_name },
              { name: t('strangers.visits'), value: stranger.count },
            ]}
          />
          {stranger.correction !== null && <CorrectionNote stranger={stranger} onSaid={onSaid} />}
        </div>
      </div>
      {maySplit && <p className="text-ui text-muted">{t('strangers.splitHint')}</p>}
      <StrangerVisits
        key={`${stranger.id} ${stranger.count}`}
        id={stranger.id}
        chosen={maySplit ? chosen : null}
        onChoose={choose}
      />
      {split.isError && <Banner tone="error">{problemSentence(split.error)}</Banner>}
      {mayReview && stranger.face === null && (
        <Actions>
          {chosen.size > 0 && (
            <Button look="secondary" busy={split.isPending} onClick={splitOff}>
              {t('strangers.split', { count: chosen.size })}
            </Button>
          )}
          {hasOthers && (
            <Button look="secondary" onClick={() => onStep('merge')}>
              {t('strangers.merge')}
            </Button>
          )}
          <Button onClick={() => onStep('identify')}>{t('strangers.identify', { name })}</Button>
        </Actions>
      )}
    </div>
  );
}

function useHasOthers(stranger: UnknownFace, mayMerge: boolean): boolean {
  const { data } = useQuery({ ...strangersQuery({}), enabled: mayMerge && stranger.face === null });
  return data !== undefined && hasMergeable(data, stranger);
}

/** The link to the person, for users who may open them. */
function Identified({
  stranger: { face, face_name: name },
  onLeave,
}: Pick<StrangerFactsProps, 'stranger' | 'onLeave'>) {
  if (face === null) return <span className="[overflow-wrap:anywhere]">{name}</span>;
  return (
    <Link
      to="/face-database"
      search={{ person: face }}
      onClick={onLeave}
      className="text-primary-text underline-offset-4 [overflow-wrap:anywhere] hover:underline touch:inline-block touch:py-3"
    >
      {name}
    </Link>
  );
}
