/** Who is meant: the people who came most in this time, or those with a part of a name. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { SelectField } from '#ui/fields.tsx';
import { listFailure, useChoices, withChosen } from './choices.ts';
import type { PanelProps } from './panel-context.ts';
import type { Panel } from './panels.ts';
import { choosable } from './people.ts';
import { PEOPLE_PER_PAGE, peopleSeenQuery, type Asked } from './queries.ts';
import { usePersonName } from './use-person-name.ts';

type PersonFilterProps = Pick<PanelProps, 'asked' | 'onChange'> & { panel: Panel };

export function PersonFilter({ asked, onChange, panel }: PersonFilterProps) {
  const { t } = useTranslation();
  const nameOf = usePersonName();
  const { person } = asked.search;
  const [search, setSearch] = useState('');
  const part = search === '' ? undefined : search;
  const { query, last, failure } = useChoices(peopleSeenQuery(asked, { search: part }));
  const { count = 0, results = [] } = last ?? {};
  const people = choosable(results);
  const isListed = people.some((row) => row.person === person);
  const chosen = useChosen(asked, isListed ? undefined : person);
  const options = people.map((row) => ({ value: row.person, label: nameOf(row) }));
  const isLong = count > PEOPLE_PER_PAGE || part !== undefined;
  // People who came but whom the reader may not name can't be chosen.
  const others = count - results.length;
  const shown = people.length;
  const hint = others > 0 ? t('panels.peopleListed', { shown, count: shown + others }) : undefined;
  return (
    <div className="grid content-start gap-2">
      <SelectField
        label={t('panels.filter.person')}
        error={query.isError ? failure(listFailure(t, panel, 'person')) : undefined}
        hint={hint}
        value={person ?? ''}
        onChange={({ target }) => onChange({ person: target.value || undefined })}
        options={[
          { value: '', label: t('panels.allPeople') },
          ...withChosen(options, person, chosen ?? t('panels.thisPerson')),
        ]}
      />
      {isLong && (
        <search>
          <SearchBox label={t('panels.findPerson')} value={search} onSearch={setSearch} />
        </search>
      )}
    </div>
  );
}

/** The name of the chosen person who is not among those listed. */
function useChosen(asked: Asked, person: string | undefined): string | undefined {
  const nameOf = usePersonName();
  const query = useQuery({
    ...peopleSeenQuery(asked, { person: person ?? '' }),
    enabled: person !== undefined,
  });
  const [row] = choosable(query.data?.results ?? []);
  return person === undefined || row?.person !== person ? undefined : nameOf(row);
}
