import { faceRoutes, type FaceCategory } from '@nazar/contract/faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';

/** The colour of a new category (CON-028). */
const BLUE = '#2563eb';

export interface NewCategoryProps {
  onAdded: (category: FaceCategory) => void;
  onCancel: () => void;
}

/** A small form inside the form of a person: HTML forbids nesting them, so it is a group with its own keys. */
export function NewCategory({ onAdded, onCancel }: NewCategoryProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [color, setColor] = useState(BLUE);
  const [tried, setTried] = useState(false);
  const add = useChange('faces', (body: { name: string; color: string }) =>
    call(faceRoutes.addCategory, { body }),
  );
  const missing = tried && name.trim() === '';
  const submit = (): void => {
    setTried(true);
    if (name.trim() !== '') add.mutate({ name: name.trim(), color }, { onSuccess: onAdded });
  };
  const refused = add.isError ? problemSentence(add.error) : undefined;
  return (
    <fieldset className="grid content-start gap-2">
      <legend className="sr-only">{t('category.new')}</legend>
      <Field
        label={t('category.new')}
        error={missing ? t('category.nameRequired') : refused}
        required
      >
        {(attributes) => (
          <span className="flex gap-2">
            <input
              type="color"
              aria-label={t('category.color')}
              className="control w-11 shrink-0 p-1"
              value={color}
              onChange={(event) => setColor(event.target.value)}
            />
            <Input
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the button that stood here
              autoFocus
              className="min-w-0 flex-1"
              placeholder={t('category.name')}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                submit();
              }}
              {...attributes}
            />
          </span>
        )}
      </Field>
      <div className="flex gap-2">
        <Button size="small" look="secondary" busy={add.isPending} onClick={submit}>
          {t('category.add')}
        </Button>
        <Button size="small" look="ghost" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
      </div>
    </fieldset>
  );
}
