import { twoFactorRoutes, type TwoFactorState } from '@nazar/contract/two-factor.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Badge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ProveForm } from './prove-form.tsx';
import { RecoveryCodeList } from './recovery-codes.tsx';
import type { SetUpDialogProps } from './set-up-dialog.tsx';

/** From here on new recovery codes are advised. */
const FEW_CODES = 3;

const { Component: SetUpDialog } = onDemand<SetUpDialogProps>(
  async () => (await import('./set-up-dialog.tsx')).SetUpDialog,
);

type Open = 'set-up' | 'off' | 'codes' | null;

/** The second factor of one's own account. */
export function TwoFactorCard({ onNotice }: { onNotice: (text: string) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const state = useQuery(ask('account', twoFactorRoutes.state, {}));
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const changed = (): void => void refresh(client, 'account');
  return (
    <Card
      title={t('twoFactor.title')}
      aside={
        state.data && (
          <Badge tone={state.data.is_on ? 'success' : 'neutral'}>
            {state.data.is_on ? t('twoFactor.on') : t('twoFactor.off')}
          </Badge>
        )
      }
    >
      {state.data?.is_demanded === true && !state.data.is_on && (
        <Banner tone="info">{t('twoFactor.enrol')}</Banner>
      )}
      <p className="mt-2 text-ui text-muted">{t('twoFactor.text')}</p>
      <QueryView query={state} skeleton={<Skeleton className="mt-3 h-14" />}>
        {(data) => <Factors state={data} onOpen={setOpen} />}
      </QueryView>
      {open === 'set-up' && <SetUpDialog open onClose={close} onChanged={changed} />}
      <Dialog
        open={open === 'off'}
        onClose={close}
        width="small"
        title={t('twoFactor.offTitle')}
        description={t('twoFactor.offText')}
      >
        <ProveForm
          action={t('twoFactor.turnOff')}
          look="danger"
          onCancel={close}
          onProven={async (body) => {
            await call(twoFactorRoutes.disable, { body });
            close();
            onNotice(t('twoFactor.isOff'));
            changed();
          }}
        />
      </Dialog>
      <NewCodesDialog open={open === 'codes'} onClose={close} onChanged={changed} />
    </Card>
  );
}

function Factors({ state, onOpen }: { state: TwoFactorState; onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  return (
    <RowList label={t('twoFactor.title')}>
      <Row
        title={t('twoFactor.app')}
        text={state.totp ? t('twoFactor.appOn') : t('twoFactor.appOff')}
        aside={
          state.totp ? (
            <Button look="secondary" size="small" onClick={() => onOpen('off')}>
              {t('twoFactor.turnOff')}
            </Button>
          ) : (
            <Button size="small" onClick={() => onOpen('set-up')}>
              {t('twoFactor.setUp')}
            </Button>
          )
        }
      />
      {state.is_on && (
        <Row
          title={t('twoFactor.codes')}
          text={
            <span className={state.recovery_codes_left <= FEW_CODES ? 'text-danger-text' : ''}>
              {t('twoFactor.codesLeft', { count: state.recovery_codes_left })}
            </span>
          }
          aside={
            <Button look="secondary" size="small" onClick={() => onOpen('codes')}>
              {t('twoFactor.newCodes')}
            </Button>
          }
        />
      )}
    </RowList>
  );
}

interface NewCodesProps {
  onClose: () => void;
  onChanged: () => void;
}

function NewCodesDialog({ open, ...rest }: NewCodesProps & { open: boolean }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={rest.onClose}
      width="small"
      title={t('twoFactor.newCodesTitle')}
      description={t('twoFactor.newCodesText')}
    >
      {open && <NewCodes {...rest} />}
    </Dialog>
  );
}

function NewCodes({ onClose, onChanged }: NewCodesProps) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodeList codes={codes} onDone={onClose} />;
  return (
    <ProveForm
      action={t('twoFactor.newCodes')}
      look="primary"
      onCancel={onClose}
      onProven={async (body) => {
        setCodes((await call(twoFactorRoutes.recoveryCodes, { body })).recovery_codes);
        onChanged();
      }}
    />
  );
}
