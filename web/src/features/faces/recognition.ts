/** Whether cameras can recognise a person by the photos there are, and if not, why not. */
import type { Face } from '@nazar/contract/faces.ts';
import type { PictureFault } from '@nazar/contract/problem.ts';
import { currentLanguage, useTranslation } from '#lib/i18n.ts';

/** A sentence after a colon, without its capital. */
function continued(sentence: string): string {
  return sentence.slice(0, 1).toLocaleLowerCase(currentLanguage()) + sentence.slice(1);
}

/** Why no camera recognizes this face yet; null when at least one photo can be used. */
export function useNotRecognized(): (face: Face) => string | null {
  const { t } = useTranslation();
  return (face) => {
    if (face.usable_images > 0) return null;
    const fault: PictureFault | null | undefined = face.images.find(
      (image) => image.fault !== null,
    )?.fault;
    const reason = fault ? t(`problem:fault.${fault}`) : t('faces.noPhoto');
    return t('faces.notRecognized', { reason: continued(reason) });
  };
}

/** An answer without a list of images comes from a person with one. */
export const imageCount = (face: { images?: readonly unknown[] }): number =>
  face.images?.length ?? 1;

export const fullName = (face: { first_name: string; last_name: string }): string =>
  `${face.first_name} ${face.last_name}`.trim();
