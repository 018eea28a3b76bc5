/** One of the people the reader may name, found by name. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { PEOPLE_SIZE, peopleQuery } from './people-queries.ts';
import { PersonAvatar } from './person-avatar.tsx';
import { QueryView } from './query-view.tsx';
import { SearchBox } from './search-box.tsx';

export interface PersonDialogProps {
  onChoose: (personId: string) => void;
  onClose: () => void;
}

export function PersonDialog({ onChoose, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const people = useQuery(peopleQuery(search, page));
  return (
    <Dialog open title={t('person.choose')} onClose={onClose}>
      <div className="grid gap-3">
        <SearchBox
          label={t('person.search')}
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        <QueryView query={people} skeleton={<Spinner />}>
          {({ results, count }) => (
            <>
              {results.length === 0 && <p className="text-muted">{t('person.noMatch')}</p>}
              <ul className="grid grid-cols-1 gap-1">
                {results.map((person) => (
                  <li key={person.id}>
                    <button
                      type="button"
                      className="flex w-full items-center gap-3 rounded-control p-2 text-left hover:bg-surface-2"
                      onClick={() => onChoose(person.id)}
                    >
                      <PersonAvatar person={person} />
                      {`${person.first_name} ${person.last_name}`.trim()}
                    </button>
                  </li>
                ))}
              </ul>
              <Pagination page={page} pages={Math.ceil(count / PEOPLE_SIZE)} onPage={setPage} />
            </>
          )}
        </QueryView>
      </div>
    </Dialog>
  );
}
