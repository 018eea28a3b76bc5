import { setupRoutes } from '@nazar/contract/setup.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';

/** A film of a few people, so that a user without a camera sees names within a minute. */
export function DemoCamera({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const [enrol, setEnrol] = useState(true);
  const add = useChange('cameras', (people: boolean) =>
    call(setupRoutes.demoCamera, { body: { enrol: people } }),
  );
  return (
    <>
      {add.isError && <Banner tone="error">{problemSentence(add.error)}</Banner>}
      <Checkbox
        label={t('setup.demoEnrol')}
        hint={t('setup.demoEnrolHint')}
        checked={enrol}
        onChange={(event) => setEnrol(event.target.checked)}
      />
      <Actions>
        <Button look="secondary" onClick={onDone}>
          {t('setup.skip')}
        </Button>
        <Button busy={add.isPending} onClick={() => add.mutate(enrol, { onSuccess: onDone })}>
          {t('setup.addDemo')}
        </Button>
      </Actions>
    </>
  );
}
