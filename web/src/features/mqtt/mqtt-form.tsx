import type { FaceCategory } from '@nazar/contract/faces.ts';
import {
  MqttFields,
  mqttProtocols,
  mqttRoutes,
  type MqttFault,
  type MqttSettings,
  type TypedMqttFields,
} from '@nazar/contract/mqtt.ts';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { Ticks } from '#parts/ticks.tsx';
import { showProblem, useContractForm, type ContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { PasswordField, SelectField, TextareaField, TextField, UrlField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';

export interface MqttFormProps {
  settings: MqttSettings;
  hasPassword: boolean;
  categories: readonly FaceCategory[];
  onSaved: () => void;
}

type Form = ContractForm<TypedMqttFields, MqttFields>;
/** Undefined: not tested since the form was opened or saved. */
type Tested = { readonly fault: MqttFault | null } | undefined;

export function MqttForm({ settings, hasPassword, categories, onSaved }: MqttFormProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const [tested, setTested] = useState<Tested>();
  const form: Form = useContractForm(MqttFields, { ...settings, password: '' });
  const save = useChange('settings', (body: MqttFields) => call(mqttRoutes.change, { body }));
  const test = useChange('settings', (body: MqttFields) => call(mqttRoutes.test, { body }));
  const trying = (work: (fields: MqttFields) => Promise<void>) =>
    form.handleSubmit(async (fields) => {
      setRefused(null);
      setTested(undefined);
      await work(fields).catch((error: unknown) => setRefused(showProblem(form, error)));
    });
  const submit = trying(async (fields) => {
    const { settings: stored } = await save.mutateAsync(fields);
    form.reset({ ...stored, password: '' });
    onSaved();
  });
  const testNow = trying(async (fields) => setTested(await test.mutateAsync(fields)));
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <Switch
        label={t('mqtt.enabled')}
        hint={t('mqtt.enabledHint')}
        {...form.register('enabled')}
      />
      <BrokerFields form={form} hasPassword={hasPassword} />
      <TopicFields form={form} />
      <CategoryChoice form={form} categories={categories} />
      {tested && <TestOutcome fault={tested.fault} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={save.isPending}>
          {t('settings.save')}
        </Button>
        <Button look="secondary" busy={test.isPending} onClick={() => void testNow()}>
          {t('mqtt.test')}
        </Button>
      </div>
    </form>
  );
}

function BrokerFields({ form, hasPassword }: { form: Form; hasPassword: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <UrlField label={t('mqtt.url')} hint={t('mqtt.urlHint')} {...form.field('url')} />
      <Switch
        label={t('mqtt.allowLocal')}
        hint={t('mqtt.allowLocalHint')}
        {...form.register('allow_local')}
      />
      <SelectField
        label={t('mqtt.protocol')}
        hint={t('mqtt.protocolHint')}
        {...form.field('protocol')}
        options={mqttProtocols.map((value) => ({ value, label: value }))}
      />
      <TextField
        label={t('mqtt.username')}
        hint={t('mqtt.usernameHint')}
        autoComplete="off"
        {...form.field('username')}
      />
      <PasswordField
        label={t('mqtt.password')}
        hint={hasPassword ? t('mqtt.passwordKept') : t('mqtt.passwordNone')}
        autoComplete="new-password"
        {...form.field('password')}
      />
      <TextareaField label={t('mqtt.ca')} hint={t('mqtt.caHint')} rows={4} {...form.field('ca')} />
    </>
  );
}

function TopicFields({ form }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('mqtt.clientId')}
        hint={t('mqtt.clientIdHint')}
        required
        autoComplete="off"
        {...form.field('client_id')}
      />
      <TextField
        label={t('mqtt.prefix')}
        hint={t('mqtt.prefixHint')}
        required
        autoComplete="off"
        {...form.field('prefix')}
      />
      <Switch
        label={t('mqtt.discovery')}
        hint={t('mqtt.discoveryHint')}
        {...form.register('discovery')}
      />
      <TextField
        label={t('mqtt.discoveryPrefix')}
        hint={t('mqtt.discoveryPrefixHint')}
        required
        autoComplete="off"
        {...form.field('discovery_prefix')}
      />
    </>
  );
}

function CategoryChoice({ form, categories }: { form: Form } & Pick<MqttFormProps, 'categories'>) {
  const { t } = useTranslation();
  const categoryName = useCategoryName();
  return (
    <Ticks
      label={t('mqtt.categories')}
      hint={t('mqtt.categoriesHint')}
      choices={categories.map(({ id, name }) => ({ id, name: categoryName(name) }))}
      chosen={form.watch('categories')}
      onChange={(ids) => form.setValue('categories', ids, { shouldDirty: true })}
    />
  );
}

function TestOutcome({ fault }: { fault: MqttFault | null }) {
  const { t } = useTranslation();
  return fault === null ? (
    <Banner tone="success">{t('mqtt.testPassed')}</Banner>
  ) : (
    <Banner tone="error">{t(`mqtt.fault.${fault}`)}</Banner>
  );
}
