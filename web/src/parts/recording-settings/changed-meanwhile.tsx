import { useTranslation } from '#lib/i18n.ts';
import { formatList } from '#lib/format.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { SettingName } from './settings-change.ts';

export interface ChangedMeanwhileProps {
  /** What another user changed since this form was opened. */
  names: readonly SettingName[];
  onTheirs: () => void;
  /** Null while what was entered is not whole. */
  onMine: (() => void) | null;
}

/** A second person saved the same settings: neither overwrites the other without having read it. */
export function ChangedMeanwhile({ names, onTheirs, onMine }: ChangedMeanwhileProps) {
  const { t } = useTranslation();
  const fields = formatList(names.map((name) => t(`recordingSettings.names.${name}`)));
  return (
    <Banner tone="error">
      <span className="grid justify-items-start gap-2">
        {t('recordingSettings.changed', { fields })}
        <span className="flex flex-wrap gap-2">
          <Button look="secondary" size="small" onClick={onTheirs}>
            {t('recordingSettings.takeTheirs')}
          </Button>
          {onMine !== null && (
            <Button look="secondary" size="small" onClick={onMine}>
              {t('recordingSettings.keepMine')}
            </Button>
          )}
        </span>
      </span>
    </Banner>
  );
}
