import { Link } from '@tanstack/react-router';
import { Film } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { buttonClass } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

/** What to do about it, for users who may do something. */
export function NoRecordings() {
  const { t } = useTranslation();
  const mayChange = mayChangeCameras(useUser());
  return (
    <EmptyState
      icon={<Film />}
      title={t('recordings.empty')}
      text={mayChange ? t('recordings.emptyAdmin') : t('recordings.emptyText')}
      {...(mayChange && {
        action: (
          <Link to="/cameras" className={buttonClass('secondary')}>
            {t('recordings.toCameras')}
          </Link>
        ),
      })}
    />
  );
}
