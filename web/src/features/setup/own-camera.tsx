import { readAddress } from '@nazar/contract/camera-address.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { requiredText } from '@nazar/contract/fields.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { z } from 'zod/mini';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { CameraLoginFields } from '#parts/camera-login-fields.tsx';
import { TestConnection } from '#parts/connection-test/test-connection.tsx';
import { useConnectionTest } from '#parts/connection-test/use-connection-test.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { TextField, UrlField } from '#ui/fields.tsx';
import { FormActions } from '#ui/form-actions.tsx';

const FirstCamera = z.object({
  name: requiredText(150),
  location: requiredText(150),
  // What can be read in two ways is the server's to refuse, with the sentence that says what to do.
  url: z.stringFormat('url', (typed) => readAddress(typed) !== 'refused').check(z.maxLength(2048)),
  username: z.string().check(z.trim(), z.maxLength(150)),
  password: z.string().check(z.maxLength(256)),
});

const typeOf = (url: string) => (url.startsWith('rtsp') ? ('rtsp' as const) : ('http' as const));

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
        type: typeOf(camera.url),
        status: 'active',
      },
    }),
  );

  const test = useConnectionTest(() => ({
    ...form.getValues(),
    type: typeOf(form.getValues('url')),
  }));
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
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {refused !== null && (
          <div className="sm:col-span-2">
            <Banner tone="error">{refused}</Banner>
          </div>
        )}
        <TextField label={t('camera.name')} required autoComplete="off" {...form.field('name')} />
        <TextField
          label={t('camera.location')}
          required
          autoComplete="off"
          {...form.field('location')}
        />
        <UrlField
          label={t('camera.url')}
          hint={t('setup.urlHint')}
          required
          className="sm:col-span-2"
          placeholder="rtsp://192.168.1.20:554/stream1"
          {...form.field('url')}
        />
        <CameraLoginFields field={form.field} />
        <div className="sm:col-span-2">
          <TestConnection test={test} />
        </div>
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
