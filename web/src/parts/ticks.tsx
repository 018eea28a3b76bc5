import { foldedText } from '@nazar/contract/folded-text.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { Input } from '#ui/input.tsx';

export interface TicksProps {
  label: string;
  hint?: string;
  choices: readonly { readonly id: string; readonly name: string }[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** More than these, and a list needs a search of its own. */
const manyChoices = 8;

/** Some of many, to be ticked. */
export function Ticks({ label, hint, choices, chosen, onChange }: TicksProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const shown = choices.filter(({ name }) => foldedText(name).includes(foldedText(words.trim())));
  return (
    <fieldset className="grid w-full grid-cols-1 gap-2">
      <legend className="mb-1.5 text-ui font-medium">
        {label} <span className="figures text-muted">{chosen.length}</span>
      </legend>
      {hint !== undefined && <p className="text-meta text-muted">{hint}</p>}
      {choices.length > manyChoices && (
        <Input
          type="search"
          aria-label={t('ui.find')}
          placeholder={t('ui.find')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      {shown.length === 0 && <p className="text-ui text-muted">{t('ui.nothingFound')}</p>}
      <div className="grid max-h-64 gap-1 overflow-y-auto">
        {shown.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
