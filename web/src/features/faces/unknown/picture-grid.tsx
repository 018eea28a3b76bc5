/** Unknown people as a grid of pictures: those who were distinguished, and single visits. */
import { UserX } from 'lucide-react';
import { FacePicture } from '#parts/face-picture.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export const pictureGrid =
  'grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] sm:gap-4';

export interface UnknownPictureProps {
  src: string | null;
  isHidden: boolean;
  alt: string;
}

export function UnknownPicture({ src, isHidden, alt }: UnknownPictureProps) {
  return (
    <FacePicture
      src={src}
      isHidden={isHidden}
      isLarge
      alt={alt}
      className="aspect-square w-full rounded-none"
      fallback={
        <div className="grid aspect-square place-items-center bg-surface-2 text-line-strong">
          <UserX aria-hidden className="size-10" />
        </div>
      }
    />
  );
}

export interface PictureGridSkeletonProps {
  count: number;
  /** The height of what ends a card. */
  lastLine: 'h-6' | 'h-8';
}

export function PictureGridSkeleton({ count, lastLine }: PictureGridSkeletonProps) {
  return (
    <div className={pictureGrid}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="card overflow-hidden">
          <Skeleton className="aspect-square rounded-none" />
          <div className="grid gap-2 p-3">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className={lastLine} />
          </div>
        </div>
      ))}
    </div>
  );
}
