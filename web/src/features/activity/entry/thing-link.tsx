import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { Link } from '@tanstack/react-router';
import { ArrowUpRight } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';

const look =
  'inline-flex min-h-6 items-center gap-1 text-primary-text hover:underline [&_svg]:size-3.5';

/** Leads to what an entry is about, where there is a page of it. */
export function ThingLink({
  entry: { content_type_name: type, object_id: id, object_exists: isThere },
}: {
  entry: ActivityEntry;
}) {
  const { t } = useTranslation();
  const me = useUser();
  if (id === null || !isThere) return null;
  const text = (
    <>
      {t('activityLog.openThing')}
      <ArrowUpRight aria-hidden />
    </>
  );
  if (type === 'camera') {
    return (
      <Link to="/cameras/$cameraId" params={{ cameraId: id }} className={look}>
        {text}
      </Link>
    );
  }
  if (type !== 'user') return null;
  if (id === me.id) {
    return (
      <Link to="/profile" className={look}>
        {text}
      </Link>
    );
  }
  return isAdministrator(me) ? (
    <Link to="/settings/users" search={{ user: id }} className={look}>
      {text}
    </Link>
  ) : null;
}
