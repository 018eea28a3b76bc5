import type { Face } from '@nazar/contract/faces.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { PersonAvatar } from '#parts/person-avatar.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SearchBox } from '#parts/search-box.tsx';
import { useCategoryName } from '#parts/category-name.ts';
import { Pagination } from '#ui/pagination.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { PAGE_SIZE, peopleQuery } from '../queries.ts';
import { fullName } from '../recognition.ts';
import { RadioRow } from './radio-row.tsx';

export type KnownPerson = Pick<Face, 'id' | 'first_name' | 'last_name'>;

export interface PersonChoiceProps {
  chosen: KnownPerson | null;
  onChoose: (person: KnownPerson) => void;
}

/** One of the enrolled people, found by name. */
export function PersonChoice({ chosen, onChoose }: PersonChoiceProps) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const people = useQuery(peopleQuery({ ...(search !== '' && { search }), page }));
  return (
    <div className="grid gap-3">
      <SearchBox
        label={t('faces.search')}
        value={search}
        onSearch={(text) => {
          setSearch(text);
          setPage(1);
        }}
      />
      <QueryView query={people} skeleton={<Spinner />}>
        {({ results, count }) => (
          <>
            <output className="text-meta text-muted">{t('faces.count', { count })}</output>
            <fieldset className="grid grid-cols-1 gap-2 sm:grid-cols-2">
              <legend className="sr-only">{t('strangers.asKnown')}</legend>
              {results.map((person) => (
                <RadioRow
                  key={person.id}
                  name="person"
                  value={person.id}
                  checked={chosen?.id === person.id}
                  onCheck={() => onChoose(person)}
                  picture={<PersonAvatar person={person} />}
                  label={fullName(person)}
                  text={categoryName(person.category_name)}
                />
              ))}
            </fieldset>
            <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={setPage} />
          </>
        )}
      </QueryView>
    </div>
  );
}
