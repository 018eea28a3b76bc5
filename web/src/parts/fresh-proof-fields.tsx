import { useEffect, useRef } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Button } from '#ui/button.tsx';
import { PasswordField } from '#ui/fields.tsx';
import type { FreshProofControl } from './use-fresh-proof.ts';

export interface FreshProofFieldsProps {
  proof: FreshProofControl;
  /** The label of the password; absent: 'Your password'. */
  label?: string;
  hint?: string;
  className?: string;
}

/** What of a form asks for fresh proof, and the other ways to give it. */
export function FreshProofFields({ proof, label, hint, className }: FreshProofFieldsProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { error } = proof;
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
  return (
    <div className={className}>
      {proof.way === 'password' ? (
        <PasswordField
          label={label ?? t('proof.password')}
          hint={hint}
          error={error}
          required
          ref={input}
          autoComplete="current-password"
          value={proof.password}
          onChange={(event) => proof.setPassword(event.target.value)}
        />
      ) : (
        <WithoutPassword proof={proof} />
      )}
      {proof.others.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
          {proof.others.map((way) => (
            <Button key={way} look="link" onClick={() => proof.choose(way)}>
              {t(`proof.instead.${way}`, { name: proof.provider })}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function WithoutPassword({ proof }: { proof: FreshProofControl }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { way, provider: name, signedOnUntil: until } = proof;
  return (
    <div className="grid justify-items-start gap-2 text-ui">
      {way === null && <p>{t('proof.none')}</p>}
      {way === 'passkey' && <p>{t('proof.passkey')}</p>}
      {way === 'sign_on' && until !== null && (
        <p>{t('proof.signedOn', { name, time: formatTime(until, { timeStyle: 'short' }) })}</p>
      )}
      {way === 'sign_on' && until === null && (
        <>
          <p>{t('proof.signOn', { name })}</p>
          <Button look="secondary" onClick={() => void proof.signOn()}>
            {t('signOn.button', { name })}
          </Button>
        </>
      )}
      {proof.error !== undefined && (
        <p role="alert" className="text-meta text-danger-text">
          {proof.error}
        </p>
      )}
    </div>
  );
}
