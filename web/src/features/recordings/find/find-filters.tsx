/** What narrows the search over all cameras: words, a person, a day, and why it was recorded. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { personQuery } from '#parts/people-queries.ts';
import { PersonDialog } from '#parts/person-dialog.tsx';
import { SearchBox } from '#parts/search-box.tsx';
import { Button } from '#ui/button.tsx';
import { DateField } from '#ui/date/date-field.tsx';
import { Select } from '#ui/select.tsx';
import { recordingFilters } from '../recordings-address.ts';
import type { FindChange, FindSearch } from './find-address.ts';

export interface FindFiltersProps {
  search: FindSearch;
  /** The day in the address, when there is such a day. */
  day: string | null;
  today: string;
  onChange: (change: FindChange) => void;
}

/** An unknown person, or one the reader may not name, has no name here. */
function usePersonName(id: string | undefined): string | null {
  const { data } = useQuery({ ...personQuery(id ?? ''), enabled: id !== undefined });
  return data === undefined ? null : `${data.first_name} ${data.last_name}`.trim();
}

function PersonFilter({ search: { person }, onChange }: FindFiltersProps) {
  const { t } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const name = usePersonName(person);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button look="secondary" onClick={() => setChoosing(true)}>
        {person === undefined ? t('person.choose') : (name ?? t('recordingSearch.onePerson'))}
      </Button>
      {person !== undefined && (
        <Button look="link" onClick={() => onChange({ person: undefined })}>
          {t('recordings.everyone')}
        </Button>
      )}
      {choosing && (
        <PersonDialog
          onChoose={(chosen) => {
            setChoosing(false);
            onChange({ person: chosen });
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

export function FindFilters(props: FindFiltersProps) {
  const { search, day, today, onChange } = props;
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-[3fr_2fr_2fr_auto]">
      <SearchBox
        label={t('recordingSearch.search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
      />
      <DateField
        label={t('recordingSearch.day')}
        hideLabel
        value={day ?? ''}
        max={today}
        onDay={(chosen) => {
          if (chosen !== null) onChange({ day: chosen });
        }}
      />
      <Select
        aria-label={t('recordings.filter')}
        value={search.filter ?? 'all'}
        onChange={({ target }) =>
          onChange({ filter: recordingFilters.find((one) => one === target.value) })
        }
        options={(['all', ...recordingFilters] as const).map((value) => ({
          value,
          label: t(`recordings.filters.${value}`),
        }))}
      />
      <PersonFilter {...props} />
    </div>
  );
}
