/** Cameras that can be added to those that are chosen: found by a part of their name on the server. */
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { ask } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { Button } from '#ui/button.tsx';

export interface NamedCamera {
  readonly id: string;
  readonly name: string;
}

export interface OtherCamerasProps {
  /** Ids of those that are chosen already. */
  not: readonly string[];
  /** So many are offered at once; for others the reader types a letter more of the name. */
  most: number;
  words: {
    readonly find: string;
    readonly none: string;
    readonly others: string;
    readonly add: (name: string) => string;
  };
  onAdd: (camera: NamedCamera) => void;
}

const searchQuery = (search: string) =>
  ask('cameras', cameraRoutes.list, { query: { search, page_size: 100 } });

export function OtherCameras({ not, most, words, onAdd }: OtherCamerasProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const query = useQuery(searchQuery(search));
  const others = (query.data?.results ?? [])
    .filter(({ id, may_play: mayPlay }) => mayPlay && !not.includes(id))
    .slice(0, most);
  return (
    <div className="grid grid-cols-1 gap-2">
      <SearchBox label={words.find} value={search} onSearch={setSearch} />
      {query.isError && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-meta text-danger-text">
          {problemSentence(query.error)}
          <Button
            size="small"
            look="secondary"
            busy={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {query.isPending && (
        <output className="block text-meta text-muted">{t('recorded.loading')}</output>
      )}
      {query.isSuccess && others.length === 0 && (
        <output className="block text-meta text-muted">{words.none}</output>
      )}
      <ul aria-label={words.others} className="flex flex-wrap gap-1.5">
        {others.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Button
              look="secondary"
              size="small"
              className="max-w-full"
              aria-label={words.add(name)}
              onClick={() => onAdd({ id, name })}
            >
              <Plus aria-hidden />
              <span className="truncate">{name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
