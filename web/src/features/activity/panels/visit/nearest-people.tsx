/** The people a face is nearest to, the nearest first, each with the photos that decided. */
import { UserRound } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { thumbnail } from '#parts/thumbnail.ts';
import { useNearName, type NearPerson } from './near-name.ts';
import { PersonLink } from './person-link.tsx';

/** Photos that are shown of one person: the nearest decided, the others say little more. */
const MOST_PHOTOS = 5;

export function NearestPeople({ people }: { people: readonly NearPerson[] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="visit-nearest" className="grid grid-cols-1 gap-1">
      <h4 id="visit-nearest" className="text-ui font-medium text-muted">
        {t('visit.nearest')}
      </h4>
      <ol className="divide-y divide-line">
        {people.map((person, index) => (
          <Near key={person.person_id ?? index} person={person} />
        ))}
      </ol>
    </section>
  );
}

function Near({ person }: { person: NearPerson }) {
  const { formatPercent } = useFormat();
  const name = useNearName()(person);
  return (
    <li className="grid grid-cols-1 gap-2 py-2.5">
      <div className="flex items-center justify-between gap-3 text-ui font-medium">
        <PersonLink id={person.person_id} name={name} />
        <span className="figures shrink-0">{formatPercent(person.probability)}</span>
      </div>
      {person.photos.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {person.photos.slice(0, MOST_PHOTOS).map((photo) => (
            <Photo key={photo.image_id} photo={photo} name={name} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Photo({ photo, name }: { photo: NearPerson['photos'][number]; name: string }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  return (
    <li className="grid justify-items-center gap-1">
      <SecureImage
        src={thumbnail(photo.image)}
        alt={t('visit.photoOf', { name })}
        className="size-14 rounded-control"
        fallback={
          <div className="grid size-14 place-items-center rounded-control bg-surface-2 text-line-strong">
            <UserRound aria-hidden className="size-6" />
          </div>
        }
      />
      <span className="figures text-caption text-muted">{formatPercent(photo.probability)}</span>
    </li>
  );
}
