import { qualityHeights, type RecordingQuality } from '@nazar/contract/recording-qualities.ts';
import type { Translate } from '#lib/i18n.ts';

/** "High (1080p)". */
export const qualityWords = (t: Translate, quality: RecordingQuality): string =>
  t(`recordingSettings.qualities.${quality}`, { lines: qualityHeights[quality] });
