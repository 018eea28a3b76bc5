/** People the user never wishes to hear of. */
import { useQuery } from '@tanstack/react-query';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { PersonDialog } from '#parts/person-dialog.tsx';
import { personQuery } from '#parts/people-queries.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { FieldFault } from './form-switch.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export function MutedPeople({ form }: { form: SettingsForm }) {
  const { t } = useTranslation();
  const [isChoosing, setChoosing] = useState(false);
  const muted = form.watch('muted_people') ?? [];
  const set = (ids: string[]): void => {
    form.clearErrors('muted_people');
    form.setValue('muted_people', ids);
  };
  return (
    <Card title={t('notificationSettings.muted')}>
      <div className="grid grid-cols-1 justify-items-start gap-3">
        <p className="text-ui text-muted">{t('notificationSettings.mutedHint')}</p>
        {muted.length > 0 && (
          <ul
            aria-label={t('notificationSettings.muted')}
            className="grid w-full max-w-md grid-cols-1 gap-1"
          >
            {muted.map((id) => (
              <MutedPerson
                key={id}
                id={id}
                onRemove={() => set(muted.filter((one) => one !== id))}
              />
            ))}
          </ul>
        )}
        <Button look="secondary" onClick={() => setChoosing(true)}>
          <UserPlus aria-hidden />
          {t('person.choose')}
        </Button>
        <FieldFault error={form.formState.errors.muted_people?.message} />
      </div>
      {isChoosing && (
        <PersonDialog
          onChoose={(id) => {
            setChoosing(false);
            if (!muted.includes(id)) set([...muted, id]);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </Card>
  );
}

/** The reader may not be allowed to read the name any more; the person can be taken out all the same. */
function MutedPerson({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(personQuery(id));
  const name =
    data === undefined ? t('player.knownPerson') : `${data.first_name} ${data.last_name}`.trim();
  return (
    <li className="flex items-center justify-between gap-2 rounded-control bg-surface-2 py-1 pr-1 pl-3">
      <span className="min-w-0 text-ui [overflow-wrap:anywhere]">{name}</span>
      <IconButton
        label={t('notificationSettings.unmute', { name })}
        small
        tooltip={false}
        onClick={onRemove}
      >
        <UserMinus aria-hidden />
      </IconButton>
    </li>
  );
}
