import { pickLanguage } from '#api/session.ts';
import { currentLanguage, languageNames, languages, useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Button } from '#ui/button.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { StepHead } from './step-head.tsx';

export function LanguageStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const next = async () => {
    // Also when it was only guessed: from here on it is this administrator's choice.
    await pickLanguage(currentLanguage());
    onDone();
  };
  return (
    <>
      <StepHead title={t('setup.welcome')} text={t('setup.languageText')} />
      <ChoiceCards
        label={t('header.language')}
        hideLabel
        name="language"
        columns={2}
        value={currentLanguage()}
        onChange={(language) => void pickLanguage(language)}
        options={languages.map((tag) => ({ value: tag, label: languageNames[tag], lang: tag }))}
      />
      <Actions>
        <Button onClick={() => void next()}>{t('setup.continue')}</Button>
      </Actions>
    </>
  );
}
