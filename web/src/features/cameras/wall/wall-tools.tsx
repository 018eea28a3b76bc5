/** What the wall shows: a layout or all cameras, narrowed by words and group; how many at once, and for how long. */
import { useTranslation } from '#lib/i18n.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { Select } from '#ui/select.tsx';
import { TilesSelect, TourSelect } from './wall-selects.tsx';
import { USUAL_TILES, type Wall } from './use-wall.ts';

export function WallTools({ wall }: { wall: Wall }) {
  const { t } = useTranslation();
  const { address, change, layouts, groups, layout } = wall;
  const choices = [
    { value: '', label: t('wall.allCameras') },
    ...layouts.map(({ id, name, is_shared: isShared }) => ({
      value: id,
      label: isShared ? t('wall.sharedName', { name }) : name,
    })),
  ];
  const groupChoices = [
    { value: '', label: t('wall.allGroups') },
    ...groups.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        className="min-w-40 flex-1 sm:flex-none"
        aria-label={t('wall.layout')}
        options={choices}
        value={layout?.id ?? ''}
        onChange={({ target }) => change({ layout: target.value })}
      />
      <div className="w-full sm:w-64">
        <SearchBox
          label={t('cameras.search')}
          value={address.search ?? ''}
          onSearch={(search) => change({ search })}
        />
      </div>
      {groups.length > 0 && (
        <Select
          className="min-w-36 flex-1 sm:flex-none"
          aria-label={t('wall.group')}
          options={groupChoices}
          value={address.group ?? ''}
          onChange={({ target }) => change({ group: target.value })}
        />
      )}
      {layout === null && (
        <>
          <TilesSelect
            value={address.tiles ?? USUAL_TILES}
            onChange={(tiles) => change({ tiles: tiles === USUAL_TILES ? undefined : tiles })}
          />
          <TourSelect
            value={address.tour ?? null}
            onChange={(seconds) => change({ tour: seconds ?? undefined })}
          />
        </>
      )}
    </div>
  );
}
