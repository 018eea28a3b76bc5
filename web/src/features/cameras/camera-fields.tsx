/** The fields of a camera in three groups (CAM-038), each filling a part of one form. */
import {
  cameraStatuses,
  cameraTypes,
  resolutions,
  rotations,
  type Camera,
  type CameraFields,
} from '@nazar/contract/cameras.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod/mini';
import type { ContractForm } from '#parts/use-contract-form.ts';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { Select } from '#ui/select.tsx';
import { Switch } from '#ui/switch.tsx';
import { Textarea } from '#ui/textarea.tsx';
import { UrlInput } from '#ui/url-input.tsx';

export interface FieldsProps {
  form: ContractForm<z.input<typeof CameraFields>, CameraFields>;
  /** Null: a new one. */
  camera: Camera | null;
}

/** Shows what an address looks like; not words of any language. */
const urlExamples = {
  ip: 'rtsp://192.168.1.20:554/stream1',
  rtsp: 'rtsp://192.168.1.20:554/stream1',
  http: 'http://192.168.1.20/mjpeg',
  usb: '/dev/video0',
} as const satisfies Record<Camera['type'], string>;

const subUrlExamples = {
  ip: 'rtsp://192.168.1.20:554/stream2',
  rtsp: 'rtsp://192.168.1.20:554/stream2',
  http: 'http://192.168.1.20/mjpeg?size=small',
  usb: '/dev/video1',
} as const satisfies Record<Camera['type'], string>;

/** Only these are encrypted: a certificate means nothing to others. */
const isEncrypted = (url: string | undefined): boolean => /^(?:rtsps|https):/i.test(url ?? '');

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-6 sm:*:col-span-3">
      <legend className="mb-3 text-meta font-semibold text-muted">{title}</legend>
      {children}
    </fieldset>
  );
}

export function GeneralFields({ form, camera }: FieldsProps) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  // CAM-036, CAM-037.
  const statuses = cameraStatuses.filter((status) => camera !== null || status !== 'error');
  return (
    <Group title={t('cameras.general')}>
      <Field label={t('camera.name')} error={errors.name?.message} required>
        {(attributes) => <Input autoComplete="off" {...attributes} {...form.register('name')} />}
      </Field>
      <Field label={t('camera.location')} error={errors.location?.message} required>
        {(attributes) => (
          <Input autoComplete="off" {...attributes} {...form.register('location')} />
        )}
      </Field>
      <Field label={t('camera.type')} error={errors.type?.message} required>
        {(attributes) => (
          <Select
            options={cameraTypes.map((value) => ({ value, label: t(`camera.types.${value}`) }))}
            {...attributes}
            {...form.register('type')}
          />
        )}
      </Field>
      <Field label={t('camera.status')} error={errors.status?.message} required>
        {(attributes) => (
          <Select
            options={statuses.map((value) => ({ value, label: t(`camera.statuses.${value}`) }))}
            {...attributes}
            {...form.register('status')}
          />
        )}
      </Field>
      <Field
        label={t('camera.description')}
        error={errors.description?.message}
        className="sm:col-span-6!"
      >
        {(attributes) => <Textarea rows={2} {...attributes} {...form.register('description')} />}
      </Field>
    </Group>
  );
}

export function ConnectionFields({ form, camera }: FieldsProps) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  const type = form.watch('type') ?? 'ip';
  // A password is bound to where it is sent: for another address the server asks for it again.
  const moved = camera !== null && form.watch('url') !== (camera.url ?? '');
  const passwordHint = moved ? t('cameras.passwordAgain') : t('cameras.passwordKeep');
  return (
    <Group title={t('cameras.connection')}>
      <Field label={t('camera.url')} error={errors.url?.message} className="sm:col-span-4!">
        {(attributes) => (
          <UrlInput placeholder={urlExamples[type]} {...attributes} {...form.register('url')} />
        )}
      </Field>
      <Field
        label={t('camera.ipAddress')}
        error={errors.ip_address?.message}
        className="sm:col-span-2!"
      >
        {(attributes) => (
          <Input
            autoComplete="off"
            spellCheck={false}
            placeholder="192.168.1.20"
            {...attributes}
            {...form.register('ip_address')}
          />
        )}
      </Field>
      <Field
        label={t('camera.subUrl')}
        hint={t('cameras.subUrlHint')}
        error={errors.sub_url?.message}
        className="sm:col-span-6!"
      >
        {(attributes) => (
          <UrlInput
            placeholder={subUrlExamples[type]}
            {...attributes}
            {...form.register('sub_url')}
          />
        )}
      </Field>
      <Field
        label={t('camera.deviceUrl')}
        hint={t('cameras.deviceUrlHint')}
        error={errors.device_url?.message}
        className="sm:col-span-6!"
      >
        {(attributes) => (
          <UrlInput
            placeholder="http://192.168.1.20/onvif/device_service"
            {...attributes}
            {...form.register('device_url')}
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
      <Field
        label={t('camera.password')}
        error={errors.password?.message}
        {...(camera?.has_password && { hint: passwordHint })}
      >
        {(attributes) => (
          <PasswordInput
            autoComplete="new-password"
            {...attributes}
            {...form.register('password')}
          />
        )}
      </Field>
      {(isEncrypted(form.watch('url')) || isEncrypted(form.watch('sub_url'))) && (
        <Field
          label={t('camera.certificate')}
          hint={t('cameras.certificateHint')}
          error={errors.certificate?.message}
          className="sm:col-span-6!"
        >
          {(attributes) => (
            <Input
              autoComplete="off"
              spellCheck={false}
              {...attributes}
              {...form.register('certificate')}
            />
          )}
        </Field>
      )}
    </Group>
  );
}

export function PictureFields({ form }: Pick<FieldsProps, 'form'>) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <Group title={t('cameras.picture')}>
      <Field
        label={t('camera.resolution')}
        error={errors.resolution?.message}
        className="sm:col-span-2!"
      >
        {(attributes) => (
          <Select
            options={resolutions.map((value) => ({ value, label: value.replace('x', '×') }))}
            {...attributes}
            {...form.register('resolution')}
          />
        )}
      </Field>
      <Field label={t('camera.fps')} error={errors.fps?.message} className="sm:col-span-2!">
        {(attributes) => (
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={60}
            {...attributes}
            {...form.register('fps', { valueAsNumber: true })}
          />
        )}
      </Field>
      <Field
        label={t('camera.rotation')}
        error={errors.rotation?.message}
        className="sm:col-span-2!"
      >
        {(attributes) => (
          <Select
            options={rotations.map((angle) => ({ value: String(angle), label: `${angle}°` }))}
            {...attributes}
            {...form.register('rotation', { valueAsNumber: true })}
          />
        )}
      </Field>
      <Switch
        label={t('camera.faceRecognition')}
        hint={t('cameras.faceRecognitionHint')}
        className="sm:col-span-6!"
        {...form.register('enable_face_recognition')}
      />
      <Switch
        label={t('camera.audio')}
        hint={t('cameras.audioHint')}
        className="sm:col-span-6!"
        {...form.register('enable_audio')}
      />
    </Group>
  );
}
