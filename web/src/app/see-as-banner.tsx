import { Eye } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useSeeing } from '#api/see-as.ts';
import { leaveSeeAs } from '#api/session.ts';
import { Button } from '#ui/button.tsx';

/** Shown on every page while seeing as another user: the user, that nothing can be changed, and the way back. */
export function SeeAsBanner() {
  const { t } = useTranslation();
  const seeing = useSeeing();
  if (seeing === null) return null;
  return (
    <output className="sticky top-14 z-20 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-info/40 bg-info-soft px-4 py-2 text-ui font-medium text-info-text md:px-6">
      <Eye aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">{t('seeAs.banner', { name: seeing.name })}</span>
      <Button look="secondary" size="small" onClick={() => void leaveSeeAs()}>
        {t('seeAs.leave')}
      </Button>
    </output>
  );
}
