/** Parts of the server in the reader's language; a newer server may know more of them, and those stand as they came. */
import { sourceWords } from '@nazar/contract/activity-fields.ts';
import { useTranslation } from '#lib/i18n.ts';

export function useSourceName(): (source: string) => string {
  const { t } = useTranslation();
  return (source) => {
    if (source === '') return t('systemLog.unknown');
    return Object.hasOwn(sourceWords, source)
      ? t(sourceWords[source as keyof typeof sourceWords])
      : source;
  };
}
