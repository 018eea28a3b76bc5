/** Asks before a layout that was changed, and not saved, is left: by a link, the way back or the end of the tab. */
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from '#lib/i18n.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';

interface Place {
  readonly pathname: string;
  readonly search: unknown;
}

/** A camera that opens above the wall leaves it standing, and who is signed out has no choice. */
const leaves = ({ pathname, search }: Place): boolean => {
  const isWall = /^\/cameras(?:\/|$)/.test(pathname) && viewOf(search) === 'wall';
  return !isWall && pathname !== '/login';
};

const viewOf = (search: unknown): unknown =>
  typeof search === 'object' && search !== null && 'view' in search ? search.view : undefined;

export function LeaveDraft({ isChanged }: { isChanged: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isChanged && leaves(next),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <AlertDialog
      open={blocker.status === 'blocked'}
      danger
      title={t('wall.leaveTitle')}
      description={t('wall.leaveText')}
      confirmLabel={t('wall.leave')}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
