/** What can be done with the wall as a whole. */
import { Link } from '@tanstack/react-router';
import { LayoutDashboard, List, Monitor, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useSeeing } from '#api/see-as.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import type { Wall } from './use-wall.ts';

export interface WallActionsProps {
  wall: Wall;
  onEdit: () => void;
  onCreate: () => void;
  /** The button that pauses the tour, where there is one. */
  tour: ReactNode;
}

export function WallActions({ wall, onEdit, onCreate, tour }: WallActionsProps) {
  const { t } = useTranslation();
  const { address, change, layout, pages } = wall;
  // Who looks with another's eyes changes nothing.
  const mayArrange = useSeeing() === null;
  return (
    <>
      {tour}
      <Link
        to="/cameras"
        search={({ search }) => (search === undefined ? {} : { search })}
        className={buttonClass('secondary')}
      >
        <List aria-hidden />
        {t('wall.cameraList')}
      </Link>
      {layout?.may_change === true && mayArrange && (
        <Button look="secondary" onClick={onEdit}>
          <LayoutDashboard aria-hidden />
          {t('wall.edit')}
        </Button>
      )}
      {mayArrange && pages.length > 0 && (
        <Button look="secondary" onClick={onCreate}>
          <Plus aria-hidden />
          {t('wall.create')}
        </Button>
      )}
      <Button onClick={() => change({ kiosk: 1, page: address.page })}>
        <Monitor aria-hidden />
        {t('wall.kiosk')}
      </Button>
    </>
  );
}
