import type { Webhook } from '@nazar/contract/webhooks.ts';
import { useTranslation } from '#lib/i18n.ts';
import { DateField } from '#ui/date/date-field.tsx';
import { SelectField } from '#ui/fields.tsx';
import { states, type Change, type WebhooksSearch } from './search.ts';

export interface DeliveryFiltersProps {
  webhooks: readonly Webhook[];
  search: WebhooksSearch;
  /** Names only what changes; undefined lifts a filter. */
  onFilter: (change: Change) => void;
}

export function DeliveryFilters({ webhooks, search, onFilter }: DeliveryFiltersProps) {
  const { t } = useTranslation();
  return (
    <search className="card grid grid-cols-1 gap-3 p-3 sm:grid-cols-2 sm:p-4 lg:grid-cols-5">
      <SelectField
        label={t('webhooks.receiver')}
        value={search.webhook ?? ''}
        onChange={({ target }) => onFilter({ webhook: target.value || undefined })}
        options={[
          { value: '', label: t('webhooks.allReceivers') },
          ...webhooks.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={t('webhooks.state')}
        value={search.state ?? ''}
        onChange={({ target }) => onFilter({ state: states.find((one) => one === target.value) })}
        options={[
          { value: '', label: t('webhooks.allStates') },
          ...states.map((value) => ({ value, label: t(`webhooks.deliveryStates.${value}`) })),
        ]}
      />
      <DateField
        label={t('webhooks.from')}
        value={search.from ?? ''}
        max={search.to}
        onDay={(day) => {
          if (day !== null) onFilter({ from: day || undefined });
        }}
      />
      <DateField
        label={t('webhooks.to')}
        value={search.to ?? ''}
        min={search.from}
        onDay={(day) => {
          if (day !== null) onFilter({ to: day || undefined });
        }}
      />
      <SelectField
        label={t('webhooks.order')}
        value={search.order ?? ''}
        onChange={({ target }) =>
          onFilter({ order: target.value === 'created_at' ? 'created_at' : undefined })
        }
        options={[
          { value: '', label: t('webhooks.newest') },
          { value: 'created_at', label: t('webhooks.oldest') },
        ]}
      />
    </search>
  );
}
