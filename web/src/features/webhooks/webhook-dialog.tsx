/** A webhook as a form. A new one shows its secret then, this once. */
import {
  WebhookChange,
  WebhookFields,
  webhookContents,
  webhookRoutes,
  type Webhook,
} from '@nazar/contract/webhooks.ts';
import { alertKinds, alertLevels } from '@nazar/contract/alerts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { refresh } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Switch } from '#ui/switch.tsx';
import { NewSecret } from './new-secret.tsx';
import { SomeOfAll } from './some-of-all.tsx';

export interface WebhookDialogProps {
  /** Null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onNotice: (text: string) => void;
}

interface Made {
  readonly name: string;
  readonly secret: string;
}

export function WebhookDialog({ webhook, onClose, onNotice }: WebhookDialogProps) {
  const { t } = useTranslation();
  const [made, setMade] = useState<Made | null>(null);
  const title = webhook === null ? t('webhooks.addTitle') : t('webhooks.editTitle');
  const saved = (): void => {
    onNotice(t('webhooks.saved'));
    onClose();
  };
  return (
    <Dialog
      open
      width="large"
      title={made === null ? title : t('webhooks.created', { name: made.name })}
      onClose={onClose}
    >
      {made === null ? (
        <WebhookForm webhook={webhook} onMade={setMade} onSaved={saved} onClose={onClose} />
      ) : (
        <NewSecret value={made.secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

const empty = {
  name: '',
  content: 'event',
  least_level: 'warning',
  kinds: null,
  cameras: null,
  allow_loopback: false,
} as const;

const valuesOf = ({ name, content, least_level, kinds, cameras, allow_loopback }: Webhook) => ({
  name,
  content,
  least_level,
  kinds,
  cameras,
  allow_loopback,
});

/** In the form of a webhook that is there, an empty address stays as it is. */
const keptIfEmpty = (typed: string): string | undefined => (typed === '' ? undefined : typed);

interface FieldFault {
  readonly type?: unknown;
  readonly message?: string | undefined;
}

/** What the server says of it, or that nothing is chosen. */
function faultOf(error: FieldFault | undefined, noneChosen: string): string | null {
  if (error === undefined) return null;
  return error.type === 'server' ? (error.message ?? null) : noneChosen;
}

interface WebhookFormProps extends Pick<WebhookDialogProps, 'webhook' | 'onClose'> {
  onMade: (made: Made) => void;
  onSaved: () => void;
}

function useWebhookForm({ webhook, onMade, onSaved }: WebhookFormProps) {
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const schema = (webhook === null ? WebhookFields : WebhookChange) as typeof WebhookChange;
  const values = webhook === null ? empty : valuesOf(webhook);
  const form = useContractForm(schema, { ...values, address: '' });
  const submit = form.handleSubmit(async (wanted) => {
    setRefused(null);
    try {
      if (webhook === null)
        onMade(await call(webhookRoutes.add, { body: wanted as WebhookFields }));
      else await call(webhookRoutes.change, { params: { id: webhook.id }, body: wanted });
      await refresh(client, 'webhooks');
      if (webhook !== null) onSaved();
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return { form, refused, submit };
}

function WebhookForm(props: WebhookFormProps) {
  const { t } = useTranslation();
  const { webhook, onClose } = props;
  const { form, refused, submit } = useWebhookForm(props);
  const { cameras } = useOwnCameras();
  const { errors, isSubmitting } = form.formState;
  const [content, kinds, chosen] = form.watch(['content', 'kinds', 'cameras']);
  const set = (name: 'kinds' | 'cameras', ids: string[] | null): void =>
    form.setValue(name, ids, { shouldDirty: true, shouldValidate: ids?.length !== 0 });
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <TextField label={t('webhooks.name')} required autoComplete="off" {...form.field('name')} />
      {/* Above the address: what the server says of that moves nothing that one is about to press. */}
      <Switch
        label={t('webhooks.loopback')}
        hint={t('webhooks.loopbackHint')}
        {...form.register('allow_loopback')}
      />
      <TextField
        label={t('webhooks.address')}
        hint={
          webhook === null
            ? t('webhooks.addressHint')
            : t('webhooks.addressKept', { origin: webhook.origin })
        }
        required={webhook === null}
        type="url"
        autoComplete="off"
        spellCheck={false}
        {...form.field('address', webhook === null ? {} : { setValueAs: keptIfEmpty })}
      />
      <ChoiceCards
        label={t('webhooks.content')}
        name="content"
        value={content ?? 'event'}
        onChange={(value) => form.setValue('content', value, { shouldDirty: true })}
        options={webhookContents.map((value) => ({
          value,
          label: t(`webhooks.contents.${value}`),
          text: t(`webhooks.contentHints.${value}`),
        }))}
      />
      <SelectField
        label={t('webhooks.leastLevel')}
        {...form.field('least_level')}
        options={alertLevels.map((value) => ({ value, label: t(`alerts.levels.${value}`) }))}
      />
      <SomeOfAll
        label={t('webhooks.kinds')}
        all={t('webhooks.allKinds')}
        some={t('webhooks.chosenKinds')}
        choices={alertKinds.map((id) => ({ id, name: t(`alertRules.kinds.${id}`) }))}
        chosen={kinds ?? null}
        error={faultOf(errors.kinds, t('webhooks.chooseKind'))}
        onChange={(ids) => set('kinds', ids)}
      />
      <SomeOfAll
        label={t('webhooks.cameras')}
        all={t('webhooks.allCameras')}
        some={t('webhooks.chosenCameras')}
        choices={cameras}
        chosen={chosen ?? null}
        error={faultOf(errors.cameras, t('webhooks.chooseCamera'))}
        onChange={(ids) => set('cameras', ids)}
      />
      <FormActions label={t('ui.save')} busy={isSubmitting} onCancel={onClose} />
    </form>
  );
}
