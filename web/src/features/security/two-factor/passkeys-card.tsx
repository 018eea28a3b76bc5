import { passkeyRoutes, type Passkey } from '@nazar/contract/passkeys.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { passkeyObstacle } from '#api/passkeys.ts';
import { ask, refresh } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { ProveForm } from './prove-form.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }
  | null;

/** Passkeys of one's own account: in place of the password, and after it. */
export function PasskeysCard({ onNotice }: { onNotice: (text: string) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const list = useQuery(ask('account', passkeyRoutes.list, {}));
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const changed = (): void => void refresh(client, 'account');
  const obstacle = passkeyObstacle();
  return (
    <Card title={t('passkeys.title')}>
      <p className="text-ui text-muted">{t('passkeys.text')}</p>
      <QueryView query={list} skeleton={<Skeleton className="mt-3 h-14" />}>
        {({ results }) => (
          <>
            {results.length > 0 && (
              <RowList label={t('passkeys.title')}>
                {results.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
                ))}
              </RowList>
            )}
            {obstacle === null ? (
              <Button className="mt-3" look="secondary" onClick={() => setOpen({ kind: 'add' })}>
                <KeyRound aria-hidden />
                {t('passkeys.add')}
              </Button>
            ) : (
              <p className="mt-3 text-ui font-medium">{t(`passkeys.obstacle.${obstacle}`)}</p>
            )}
          </>
        )}
      </QueryView>
      <AddPasskeyDialog
        open={open?.kind === 'add'}
        onClose={close}
        onAdded={() => {
          onNotice(t('passkeys.added'));
          changed();
        }}
      />
      <RenamePasskeyDialog
        passkey={open?.kind === 'rename' ? open.passkey : null}
        onClose={close}
        onRenamed={changed}
      />
      <Dialog
        open={open?.kind === 'remove'}
        onClose={close}
        width="small"
        title={t('passkeys.removeTitle')}
        description={t('passkeys.removeText')}
      >
        {open?.kind === 'remove' && (
          <ProveForm
            action={t('passkeys.remove')}
            look="danger"
            onCancel={close}
            onProven={async (body) => {
              await call(passkeyRoutes.remove, { params: { id: open.passkey.id }, body });
              close();
              onNotice(t('passkeys.removed'));
              changed();
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { name, host, last_used_at: used } = passkey;
  return (
    <Row
      title={name}
      text={
        used === null
          ? t('passkeys.never', { host })
          : t('passkeys.lastUsed', { host, time: formatTime(used) })
      }
      aside={
        <div className="flex gap-2">
          <Button
            look="secondary"
            size="small"
            aria-label={t('passkeys.renameOf', { name })}
            onClick={() => onOpen({ kind: 'rename', passkey })}
          >
            {t('passkeys.rename')}
          </Button>
          <Button
            look="secondary"
            size="small"
            aria-label={t('passkeys.removeOf', { name })}
            onClick={() => onOpen({ kind: 'remove', passkey })}
          >
            {t('passkeys.remove')}
          </Button>
        </div>
      }
    />
  );
}
