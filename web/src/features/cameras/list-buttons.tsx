/** Where the list of cameras leads: to the wall, to the recordings, to a new camera. */
import { Link } from '@tanstack/react-router';
import { Film, LayoutDashboard, Plus } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Button, buttonClass } from '#ui/button.tsx';

export interface ListButtonsProps {
  /** The wall shows what is searched for. */
  search: string | undefined;
  mayFind: boolean;
  /** Null: the reader may add none. */
  onAdd: (() => void) | null;
}

export function ListButtons({ search, mayFind, onAdd }: ListButtonsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Link
        to="/cameras"
        search={{ view: 'wall', ...(search !== undefined && { search }) }}
        className={buttonClass('secondary')}
      >
        <LayoutDashboard aria-hidden />
        {t('cameras.wall')}
      </Link>
      {mayFind && (
        <Link to="/recordings" className={buttonClass('secondary')}>
          <Film aria-hidden />
          {t('recordings.title')}
        </Link>
      )}
      {onAdd !== null && (
        <Button onClick={onAdd}>
          <Plus aria-hidden />
          {t('cameras.add')}
        </Button>
      )}
    </>
  );
}
