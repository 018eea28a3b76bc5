/** What a face looks like, in words that say how sure they are. */
import type { FaceAttributes } from '@nazar/contract/attributes.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';

export interface AttributeWords {
  /** Each under its name. */
  facts: (look: FaceAttributes) => { name: string; value: string }[];
  /** All of them in one line. */
  line: (look: FaceAttributes) => string;
}

export function useAttributeWords(): AttributeWords {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const genderOf = ({ gender }: FaceAttributes): string | null =>
    gender &&
    t(`visit.look.looksLike.${gender.looks_like}`, { certainty: formatPercent(gender.certainty) });
  const emotionOf = ({ emotion }: FaceAttributes): string | null =>
    emotion &&
    t(`visit.look.looks.${emotion.looks}`, { certainty: formatPercent(emotion.certainty) });
  return {
    facts: (look) =>
      [
        { name: t('visit.look.age'), value: look.age && t('visit.look.range', look.age) },
        { name: t('visit.look.gender'), value: genderOf(look) },
        { name: t('visit.look.emotion'), value: emotionOf(look) },
      ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
    line: (look) =>
      joined([look.age && t('visit.look.rangeAlone', look.age), genderOf(look), emotionOf(look)]),
  };
}
