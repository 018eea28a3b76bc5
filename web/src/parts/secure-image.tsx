import { useEffect, useState, type ReactNode } from 'react';
import { media } from '#api/media.ts';
import { cx } from '#lib/class-names.ts';
import { Skeleton } from '#ui/skeleton.tsx';

export interface SecureImageProps {
  /** An address of this product that needs the session; null shows the fallback. */
  src: string | null;
  /** '' when the words beside it say it all. */
  alt: string;
  className?: string;
  /** Receives the address that is shown from now on; null: none is. */
  onShown?: ((src: string | null) => void) | undefined;
  /** Shown when there is no picture or it cannot be had: an avatar, an icon. */
  fallback: ReactNode;
}

type Shown = { src: string; url: string } | { src: string; url: null };

/** A newer version of the same picture differs in its query only. */
const samePicture = (one: string, other: string): boolean =>
  one.split('?')[0] === other.split('?')[0];

/**
 * A picture behind the bearer token. An older version stays until the newer has arrived; a picture of
 * something else never does: no person's name may stand beside another's face.
 */
export function SecureImage({ src, alt, className, onShown, fallback }: SecureImageProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    if (src === null) return undefined;
    let current = true;
    const picture = media(src);
    picture.url.then(
      (url) => current && setShown({ src, url }),
      () => current && setShown({ src, url: null }),
    );
    return () => {
      current = false;
      picture.release();
    };
  }, [src]);
  const own = src !== null && shown !== null && samePicture(shown.src, src) ? shown : null;
  const shownSrc = own !== null && own.url !== null ? own.src : null;
  useEffect(() => onShown?.(shownSrc), [onShown, shownSrc]);
  if (src === null) return fallback;
  if (own === null) return <Skeleton className={className ?? ''} />;
  if (own.url === null) return fallback;
  return <img src={own.url} alt={alt} className={cx('object-cover', className)} decoding="async" />;
}
