import type { Face } from '@nazar/contract/faces.ts';
import { ChevronLeft, ChevronRight, UserRound } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { thumbnail } from '#parts/thumbnail.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { fullName } from '../recognition.ts';
import { DoubtAnswer } from './photo-doubt.tsx';
import { PhotoVerdict } from './photo-results.tsx';

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** One photo large, the others small beneath; arrows, Home and End move anywhere inside. */
export function PhotoCarousel({ face }: { face: Face }) {
  const { t } = useTranslation();
  const { images } = face;
  const [chosen, setChosen] = useState(0);
  const last = images.length - 1;
  const at = Math.min(chosen, last);
  const image = images[at];
  if (image === undefined) {
    return (
      <div className="grid aspect-[4/3] place-items-center rounded-control bg-surface-2 text-line-strong">
        <UserRound aria-hidden className="size-12" />
        <span className="sr-only">{t('photo.none')}</span>
      </div>
    );
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setChosen(step(at, last));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys bubble here from the buttons inside
    <fieldset className="grid min-w-0 content-start gap-2" onKeyDown={onKeyDown}>
      <legend className="sr-only">{t('photo.title')}</legend>
      <div className="relative">
        <SecureImage
          src={image.image}
          alt={t('photo.of', { name: fullName(face), number: at + 1, total: images.length })}
          className="aspect-[4/3] w-full rounded-control bg-surface-2 object-contain"
          fallback={<Skeleton className="aspect-[4/3]" />}
        />
        {last > 0 && (
          <div className="absolute inset-x-2 top-1/2 flex -translate-y-1/2 justify-between">
            <IconButton
              label={t('photo.previous')}
              look="glass"
              tooltip={false}
              onClick={() => setChosen(at === 0 ? last : at - 1)}
            >
              <ChevronLeft aria-hidden />
            </IconButton>
            <IconButton
              label={t('photo.next')}
              look="glass"
              tooltip={false}
              onClick={() => setChosen(at === last ? 0 : at + 1)}
            >
              <ChevronRight aria-hidden />
            </IconButton>
          </div>
        )}
      </div>
      <div aria-live="polite">
        <PhotoVerdict image={image} />
      </div>
      <DoubtAnswer key={image.id} face={face} image={image} number={at + 1} />
      {last > 0 && (
        <ul className="flex flex-wrap gap-2">
          {images.map((one, index) => (
            <li key={one.id}>
              <button
                type="button"
                aria-label={t('photo.number', { number: index + 1 })}
                aria-current={index === at || undefined}
                className={cx(
                  'grid size-14 overflow-hidden rounded-control border-2',
                  index === at
                    ? 'border-primary'
                    : 'border-transparent opacity-75 hover:opacity-100',
                )}
                onClick={() => setChosen(index)}
              >
                <SecureImage
                  src={thumbnail(one.image)}
                  alt=""
                  className="size-full"
                  fallback={<Skeleton className="size-full" />}
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
