import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import { qualityHeights, type RecordingQuality } from '@nazar/contract/recording-qualities.ts';
import type { Translate } from '#lib/i18n.ts';

/** "High (1080p)". */
export const qualityWords = (t: Translate, quality: RecordingQuality): string =>
  t(`recordingSettings.qualities.${quality}`, { lines: qualityHeights[quality] });

/** "High (1080p): records 1280×720": what comes of it where the camera sends no such picture. */
export function qualityChoice(
  t: Translate,
  quality: RecordingQuality,
  recorded: RecordingSettings['recorded'],
): string {
  const words = qualityWords(t, quality);
  if (recorded === null) return words;
  const size = `${recorded.width}×${recorded.height}`;
  return t('recordingSettings.qualityRecords', { quality: words, size });
}
