import { Moon, Sun } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { pickTheme } from '#api/session.ts';
import { useTheme } from '#lib/theme.ts';
import { IconButton } from '#ui/icon-button.tsx';

/** Named after what it does, not after what is. */
export function ThemeButton() {
  const { t } = useTranslation();
  const dark = useTheme() === 'dark';
  return (
    <IconButton
      label={dark ? t('header.light') : t('header.dark')}
      onClick={() => void pickTheme(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  );
}
