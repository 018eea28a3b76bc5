/** The picture of a visit, or a sign where a privacy mask hides it from the reader. */
import { EyeOff } from 'lucide-react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SecureImage, type SecureImageProps } from './secure-image.tsx';

export interface FacePictureProps extends SecureImageProps {
  /** `picture_hidden` of the contract. */
  isHidden: boolean;
  /** There is room for the sentence; else it is a tooltip, and a text for screen readers. */
  isLarge?: boolean;
}

export function FacePicture({ isHidden, isLarge = false, ...image }: FacePictureProps) {
  const { t } = useTranslation();
  if (!isHidden) return <SecureImage {...image} />;
  const sentence = t('unknown.hiddenPicture');
  const look = cx('grid place-content-center justify-items-center bg-surface-2', image.className);
  if (isLarge) {
    return (
      <div className={cx(look, 'gap-2 p-3 text-center text-ui text-muted')}>
        <EyeOff aria-hidden className="size-8" />
        {sentence}
      </div>
    );
  }
  return (
    <span title={sentence} className={cx(look, 'text-muted')}>
      <EyeOff aria-hidden className="size-4" />
      <span className="sr-only">{sentence}</span>
    </span>
  );
}
