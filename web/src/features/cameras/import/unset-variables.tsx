import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { PasswordField } from '#ui/fields.tsx';
import type { Variables } from './use-import.ts';

export interface UnsetVariablesProps {
  names: readonly string[];
  values: Variables;
  onValues: (values: Variables) => void;
  onAgain: () => void;
  busy: boolean;
}

/** What the file takes from its surroundings: mostly passwords, and so written as such. */
export function UnsetVariables({ names, values, onValues, onAgain, busy }: UnsetVariablesProps) {
  const { t } = useTranslation();
  return (
    <section className="grid gap-3">
      <div>
        <h3 className="text-ui font-semibold">{t('cameraImport.variables')}</h3>
        <p className="text-meta text-muted">{t('cameraImport.variablesText')}</p>
      </div>
      {names.map((name) => (
        <PasswordField
          key={name}
          label={name}
          autoComplete="off"
          maxLength={256}
          value={values[name] ?? ''}
          onChange={({ target }) => onValues({ ...values, [name]: target.value })}
        />
      ))}
      <Button look="secondary" className="justify-self-start" onClick={onAgain} busy={busy}>
        {t('cameraImport.again')}
      </Button>
    </section>
  );
}
