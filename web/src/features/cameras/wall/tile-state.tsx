/** What stands on a tile beside its picture: the name, the state in words, and how old the picture is. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useEffect, useState, type RefObject } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { formatSeconds } from '#lib/format.ts';
import { healthDots } from '../health-dots.ts';

/** Up to here a picture is what is there now. */
const FRESH_MS = 2000;
const TICK_MS = 1000;

/** Whole seconds since the last picture of the stream; null: it has shown none. */
function useAge(pictured: RefObject<number | null>): number | null {
  const [age, setAge] = useState<number | null>(null);
  useEffect(() => {
    const look = (): void => {
      const at = pictured.current;
      const ageMs = at === null ? null : Date.now() - at;
      setAge(ageMs === null ? null : ageMs < FRESH_MS ? 0 : Math.floor(ageMs / 1000));
    };
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [pictured]);
  return age;
}

function useAgeWords(age: number | null): string {
  const { t } = useTranslation();
  if (age === null) return t('wall.stillPicture');
  return age === 0 ? t('wall.ageNow') : t('wall.age', { time: formatSeconds(age) });
}

export interface TileStateProps {
  camera: Camera;
  /** When the stream last showed a picture, by `Date.now()`. */
  pictured: RefObject<number | null>;
  id: string;
}

export function TileState({ camera, pictured, id }: TileStateProps) {
  const { t } = useTranslation();
  const ageWords = useAgeWords(useAge(pictured));
  const { state } = camera.health;
  const isActive = camera.status === 'active';
  const words = isActive ? t(`ingest.state.${state}`) : t(`camera.statuses.${camera.status}`);
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0 flex items-start gap-2 p-1.5 text-meta text-white">
      <span className="min-w-0 truncate rounded-control bg-black/70 px-1.5 py-0.5 font-semibold">
        {camera.name}
      </span>
      <span
        id={id}
        className="ml-auto flex shrink-0 items-center gap-1.5 rounded-control bg-black/70 px-1.5 py-0.5"
      >
        <span
          aria-hidden
          className={cx('size-2 rounded-full', isActive ? healthDots[state] : 'bg-line-strong')}
        />
        <span>{words}</span>
        {isActive && state === 'live' && <span className="figures">{ageWords}</span>}
      </span>
    </div>
  );
}
