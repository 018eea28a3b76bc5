import type { FreshProof } from '@nazar/contract/proof.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { signOnRoutes, type SignOnFault } from '@nazar/contract/sign-on.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { leave } from '#lib/leave.ts';
import { ProofForm } from '#parts/proof-form.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Connecting one's own account with the provider elsewhere; nothing where there is none. */
export function ConnectionCard({ onNotice }: { onNotice: (text: string) => void }) {
  const state = useQuery(ask('system', setupRoutes.state, {}));
  const name = state.data?.sign_on ?? null;
  return name === null ? null : <Connection name={name} onNotice={onNotice} />;
}

async function connect(body: FreshProof): Promise<void> {
  leave.to((await call(signOnRoutes.connect, { body })).url);
}

interface ConnectionProps {
  name: string;
  onNotice: (text: string) => void;
}

function Connection({ name, onNotice }: ConnectionProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const client = useQueryClient();
  const { signOn } = useSearch({ from: '/shell/security' });
  const connection = useQuery(ask('account', signOnRoutes.connection, {}));
  const [asks, setAsks] = useState<'connect' | 'disconnect' | null>(null);
  const close = (): void => setAsks(null);

  const disconnect = async (body: FreshProof): Promise<void> => {
    await call(signOnRoutes.disconnect, { body });
    close();
    onNotice(t('signOn.disconnected'));
    await refresh(client, 'account');
  };

  return (
    <Card title={t('signOn.title')}>
      {signOn !== undefined && <Returned signOn={signOn} name={name} />}
      <QueryView query={connection} skeleton={<Skeleton className="h-14" />}>
        {({ connected_at: since }) => (
          <div className="grid justify-items-start gap-3">
            <p className="text-ui text-muted">
              {since === null
                ? t('signOn.text', { name })
                : t('signOn.since', { name, time: formatTime(since) })}
            </p>
            <Button
              look="secondary"
              onClick={() => setAsks(since === null ? 'connect' : 'disconnect')}
            >
              {since === null ? t('signOn.connect', { name }) : t('signOn.disconnect')}
            </Button>
          </div>
        )}
      </QueryView>
      <Dialog
        open={asks !== null}
        onClose={close}
        width="small"
        title={asks === 'disconnect' ? t('signOn.disconnect') : t('signOn.connect', { name })}
        description={t('signOn.prove')}
      >
        {asks !== null && (
          <ProofForm
            action={asks === 'connect' ? t('signOn.connect', { name }) : t('signOn.disconnect')}
            onCancel={close}
            onProven={asks === 'connect' ? connect : disconnect}
          />
        )}
      </Dialog>
    </Card>
  );
}

/** Where the window is small, the card is far down. */
const bringIntoSight = (place: Element | null): void => place?.scrollIntoView({ block: 'nearest' });

function Returned({
  signOn,
  name,
}: {
  signOn: SignOnFault | 'connected' | 'proved';
  name: string;
}) {
  const { t } = useTranslation();
  return (
    <div ref={bringIntoSight} className="mb-3">
      {signOn === 'connected' || signOn === 'proved' ? (
        <Banner tone="success">{t(`signOn.${signOn}`, { name })}</Banner>
      ) : (
        <Banner tone="error">{t(`signOn.faults.${signOn}`)}</Banner>
      )}
    </div>
  );
}
