import { accessRoutes, type CameraViewer } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { joined } from '#lib/joined.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Who may see a camera, and why: made it, was granted it, or administers everything. */
export function CameraViewers({ camera, onClose }: { camera: Camera; onClose: () => void }) {
  const { t } = useTranslation();
  const viewers = useQuery(ask('access', accessRoutes.viewers, { params: { id: camera.id } }));
  return (
    <Dialog open title={t('access.viewersOf', { name: camera.name })} onClose={onClose}>
      <QueryView query={viewers} skeleton={<Skeleton className="h-24" />}>
        {({ results }) => (
          <RowList label={t('access.viewersOf', { name: camera.name })}>
            {results.map((viewer) => (
              <Viewer key={viewer.user.id} viewer={viewer} />
            ))}
          </RowList>
        )}
      </QueryView>
      <Link to="/settings/access" className="mt-4 inline-block text-ui text-primary-text underline">
        {t('access.change')}
      </Link>
    </Dialog>
  );
}

function Viewer({ viewer }: { viewer: CameraViewer }) {
  const { t } = useTranslation();
  const { user, reason, capabilities, groups } = viewer;
  const why =
    groups.length > 0
      ? t('access.reasons.through', { groups: joined(groups, ', ') })
      : t(`access.reasons.${reason}`);
  const words = capabilities.map((capability) =>
    capability === 'people' ? t('access.names') : t(`access.capabilities.${capability}`),
  );
  const what = joined(words, ', ');
  return (
    <Row
      title={joined([user.name, user.email])}
      text={reason === 'granted' ? joined([why, what], ': ') : why}
    />
  );
}
