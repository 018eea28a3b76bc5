/** Turns push messages on and off in this browser, or says what has to be done first. */
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { useTurnOff, useTurnOn } from './queries.ts';
import { PushFailure } from './subscribing.ts';
import { pushSupport } from './support.ts';

export interface ThisDeviceProps {
  publicKey: string;
  /** Null: this browser is no device of the user's. */
  ownId: string | null;
}

export function ThisDevice({ publicKey, ownId }: ThisDeviceProps) {
  const { t } = useTranslation();
  const [support] = useState(pushSupport);
  const on = useTurnOn();
  const off = useTurnOff();
  const error = on.error ?? off.error;
  if (support !== 'ready') return <p className="text-ui">{t(`push.state.${support}`)}</p>;
  const isOn = ownId !== null;
  const press = (): void => {
    on.reset();
    off.reset();
    if (isOn) off.mutate(ownId);
    else on.mutate(publicKey);
  };
  return (
    <div className="grid justify-items-start gap-3">
      {isOn && <p className="text-ui">{t('push.isOn')}</p>}
      {error !== null && (
        <Banner tone="error">
          {error instanceof PushFailure ? t(`push.state.${error.kind}`) : problemSentence(error)}
        </Banner>
      )}
      <Button
        look={isOn ? 'secondary' : 'primary'}
        busy={on.isPending || off.isPending}
        onClick={press}
      >
        {isOn ? t('push.turnOff') : t('push.turnOn')}
      </Button>
    </div>
  );
}
