import { Languages } from 'lucide-react';
import { pickLanguage } from '#api/session.ts';
import { currentLanguage, languageNames, languages, useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuChoice } from '#ui/menu.tsx';

/** Each language by its own name. */
export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={
        <IconButton label={t('header.language')} tooltip={false}>
          <Languages aria-hidden />
        </IconButton>
      }
    >
      <MenuChoice
        label={t('header.language')}
        value={currentLanguage()}
        options={languages.map((tag) => ({ value: tag, label: languageNames[tag], lang: tag }))}
        onChoose={(language) => void pickLanguage(language)}
      />
    </Menu>
  );
}
