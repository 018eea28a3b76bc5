import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowUpRight } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';

const look =
  'inline-flex min-h-6 items-center gap-1 text-primary-text hover:underline [&_svg]:size-3.5';

/** So many names a list of cameras has; of a longer one it is not known whether a camera is among the rest. */
const mostNames = 1000;

/** Whether there is a page of that camera for the reader: not of one that is deleted. */
function useHasCamera(id: string | null): boolean {
  const { data } = useQuery({
    ...ask('cameras', cameraRoutes.namesForLogs, {}),
    enabled: id !== null,
  });
  const cameras = data?.results ?? null;
  if (id === null || cameras === null) return false;
  return cameras.length >= mostNames || cameras.some((camera) => camera.id === id);
}

/** Leads to what an entry is about, where there is a page of it. */
export function ThingLink({
  entry: { content_type_name: type, object_id: id },
}: {
  entry: ActivityEntry;
}) {
  const { t } = useTranslation();
  const me = useUser();
  const hasCamera = useHasCamera(type === 'camera' ? id : null);
  if (id === null) return null;
  const text = (
    <>
      {t('activityLog.openThing')}
      <ArrowUpRight aria-hidden />
    </>
  );
  if (type === 'camera') {
    return !hasCamera ? null : (
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
