import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { requiredText } from '@nazar/contract/fields.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Field } from '#ui/field.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Input } from '#ui/input.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { UrlInput } from '#ui/url-input.tsx';

const FirstCamera = z.object({
  name: requiredText(150),
  location: requiredText(150),
  url: z.url({ protocol: /^(rtsps?|https?)$/ }).check(z.maxLength(2048)),
  username: z.string().check(z.trim(), z.maxLength(150)),
  password: z.string().check(z.maxLength(256)),
});

/** The few fields a camera on the network really needs; the rest has its form on the Cameras page. */
export function OwnCamera({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(FirstCamera, {
    name: '',
    location: '',
    url: '',
    username: '',
    password: '',
  });
  const add = useChange('cameras', (camera: z.output<typeof FirstCamera>) =>
    call(cameraRoutes.add, {
      body: {
        ...camera,
        type: camera.url.startsWith('rtsp') ? 'rtsp' : 'http',
        status: 'active',
      },
    }),
  );
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    setRefused(null);
    try {
      await add.mutateAsync(values);
      onDone();
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <div className="grid gap-4 sm:grid-cols-2">
        {refused !== null && (
          <div className="sm:col-span-2">
            <Banner tone="error">{refused}</Banner>
          </div>
        )}
        <Field label={t('camera.name')} error={errors.name?.message} required>
          {(attributes) => <Input autoComplete="off" {...attributes} {...form.register('name')} />}
        </Field>
        <Field label={t('camera.location')} error={errors.location?.message} required>
          {(attributes) => (
            <Input autoComplete="off" {...attributes} {...form.register('location')} />
          )}
        </Field>
        <Field
          label={t('camera.url')}
          hint={t('setup.urlHint')}
          error={errors.url?.message}
          required
          className="sm:col-span-2"
        >
          {(attributes) => (
            <UrlInput
              placeholder="rtsp://192.168.1.20:554/stream1"
              {...attributes}
              {...form.register('url')}
            />
          )}
        </Field>
        <Field label={t('camera.username')} error={errors.username?.message}>
          {(attributes) => (
            <Input
              autoComplete="off"
              autoCapitalize="none"
              {...attributes}
              {...form.register('username')}
            />
          )}
        </Field>
        <Field label={t('camera.password')} error={errors.password?.message}>
          {(attributes) => (
            <PasswordInput
              autoComplete="new-password"
              {...attributes}
              {...form.register('password')}
            />
          )}
        </Field>
      </div>
      <FormActions
        label={t('setup.addCamera')}
        busy={add.isPending}
        onCancel={onDone}
        cancelLabel={t('setup.skip')}
      />
    </form>
  );
}
