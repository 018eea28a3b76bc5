import type { CheckedPhoto } from '@nazar/contract/recognition.ts';
import { useCallback, type ReactNode, type RefCallback } from 'react';
import { cx } from '#lib/class-names.ts';

/** How the server analyzed a photo: its size once it stood upright, and by how much it was turned for that. */
export type Upright = Pick<CheckedPhoto, 'width' | 'height' | 'turned'>;

export interface LocalPhotoProps {
  photo: Blob;
  alt: string;
  /** Null until the server has analyzed the photo: as the file is. */
  upright: Upright | null;
  /** This browser cannot show it. */
  onUnreadable?: (() => void) | undefined;
  className?: string;
  /** Lies over the photo. */
  children?: ReactNode;
}

/** A photo of this device, upright as it will be kept, as wide as its place. */
export function LocalPhoto({
  photo,
  alt,
  upright,
  onUnreadable,
  className,
  children,
}: LocalPhotoProps) {
  const file = useFileOf(photo);
  const turned = upright?.turned ?? 0;
  if (upright === null || turned === 0) {
    return (
      <span className={cx('relative block overflow-hidden', className)}>
        <img ref={file} alt={alt} onError={onUnreadable} className="block w-full" />
        {children}
      </span>
    );
  }
  const { width, height } = upright;
  // Lying, the picture is as wide as it is high once it is turned.
  const across = turned === 180 ? 1 : height / width;
  return (
    <span
      className={cx('relative block overflow-hidden', className)}
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      <img
        ref={file}
        alt={alt}
        onError={onUnreadable}
        className="absolute top-1/2 left-1/2 block max-w-none"
        style={{
          width: `${across * 100}%`,
          transform: `translate(-50%, -50%) rotate(${turned}deg)`,
        }}
      />
      {children}
    </span>
  );
}

/** What shows a file in an image, for as long as the image is there. */
function useFileOf(photo: Blob): RefCallback<HTMLImageElement> {
  return useCallback(
    (image) => {
      if (image === null) return undefined;
      const url = URL.createObjectURL(photo);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [photo],
  );
}
