import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';

/** `is_recognized` is the server's word and the truth. */
export function DetectionBadge({ recognized }: { recognized: boolean }) {
  const { t } = useTranslation();
  return recognized ? (
    <Badge tone="recognized">{t('detection.recognized')}</Badge>
  ) : (
    <Badge tone="unrecognized">{t('detection.unknown')}</Badge>
  );
}
