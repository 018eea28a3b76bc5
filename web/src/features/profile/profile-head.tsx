import type { User } from '@nazar/contract/accounts.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { DEFAULT_AVATAR_COLOR, changePreferences, usePreferences } from '#api/session.ts';
import { initials } from '#lib/initials.ts';
import { store } from '#lib/storage.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';

/** White letters on each have a contrast of 4.6:1 or more. */
const swatches = [
  '#2563eb',
  '#4f46e5',
  '#7c3aed',
  '#c026d3',
  '#db2777',
  '#dc2626',
  '#c2410c',
  '#a16207',
  '#15803d',
  '#0f766e',
] as const;

/** A user without a name is AD here, and EA in the header. */
const lettersOf = ({ first_name, last_name }: User): string =>
  first_name.trim() + last_name.trim() === '' ? 'AD' : initials(first_name, last_name);

export function ProfileHead({ user }: { user: User }) {
  const { t } = useTranslation();
  const [picks, setPicks] = useState(false);
  const color = usePreferences().avatar_color ?? DEFAULT_AVATAR_COLOR;
  const pick = (avatar_color: string): void => {
    store('avatar-color', avatar_color);
    void changePreferences({ avatar_color });
    setPicks(false);
  };
  return (
    <Card>
      <div className="grid justify-items-center gap-2 text-center">
        <button
          type="button"
          aria-label={t('profile.color')}
          aria-expanded={picks}
          title={t('profile.color')}
          className="rounded-full"
          onClick={() => setPicks(!picks)}
        >
          <Avatar initials={lettersOf(user)} color={color} size="large" />
        </button>
        {picks && (
          <fieldset aria-label={t('profile.color')} className="grid grid-cols-5 gap-2 py-1">
            {swatches.map((swatch, index) => (
              <button
                key={swatch}
                type="button"
                aria-label={t('profile.swatch', { number: index + 1 })}
                aria-pressed={swatch === color}
                className="grid size-9 place-items-center rounded-full text-white touch:size-11 [&_svg]:size-4"
                style={{ backgroundColor: swatch }}
                onClick={() => pick(swatch)}
              >
                {swatch === color && <Check aria-hidden />}
              </button>
            ))}
          </fieldset>
        )}
        <h2 className="text-section font-semibold break-words">
          {`${user.first_name} ${user.last_name}`.trim()}
        </h2>
        <p className="text-ui text-muted">
          {user.position === '' ? t('profile.noPosition') : user.position}
        </p>
        <Badge tone="neutral">{t(`profile.roleOf.${user.role}`)}</Badge>
      </div>
    </Card>
  );
}
