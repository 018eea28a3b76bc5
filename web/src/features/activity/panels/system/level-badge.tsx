import type { SystemLogLevel } from '@nazar/contract/system-logs.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Badge, type Tone } from '#ui/badge.tsx';

const tones: Readonly<Record<SystemLogLevel, Tone>> = {
  error: 'danger',
  warning: 'warning',
  info: 'info',
  debug: 'neutral',
};

export function LevelBadge({ level }: { level: SystemLogLevel }) {
  const { t } = useTranslation();
  return <Badge tone={tones[level]}>{t(`systemLog.levels.${level}`)}</Badge>;
}
