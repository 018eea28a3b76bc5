import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { TextField } from '#ui/fields.tsx';
import { withFigure, type Part } from './part.ts';

export interface FrameFieldsProps {
  part: Part;
  onChange: (part: Part) => void;
}

const figures = ['x', 'y', 'width', 'height'] as const;
const shown = (fraction: number): string => String(Math.round(fraction * 1000) / 10);

/** The frame in figures, in percent of the main picture. */
export function FrameFields({ part, onChange }: FrameFieldsProps) {
  const { t } = useTranslation();
  // What is being typed stands as it was typed: "1" on the way to "12" is no width yet.
  const [typed, setTyped] = useState<{ figure: keyof Part; text: string } | null>(null);
  return (
    <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      <legend className="sr-only">{t('alignment.frame')}</legend>
      {figures.map((figure) => (
        <TextField
          key={figure}
          label={t(`alignment.figures.${figure}`)}
          type="number"
          step={0.1}
          inputMode="decimal"
          autoComplete="off"
          value={typed?.figure === figure ? typed.text : shown(part[figure])}
          onChange={({ target }) => {
            setTyped({ figure, text: target.value });
            if (target.value !== '' && Number.isFinite(target.valueAsNumber))
              onChange(withFigure(part, figure, target.valueAsNumber / 100));
          }}
          onBlur={() => setTyped(null)}
        />
      ))}
    </fieldset>
  );
}
