/** The fields of a camera in three groups, each filling a part of one form. */
import {
  cameraStatuses,
  cameraTypes,
  resolutions,
  rotations,
  type Camera,
  type CameraFields,
} from '@nazar/contract/cameras.ts';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from '#lib/i18n.ts';
import type { z } from 'zod/mini';
import { CameraLoginFields } from '#parts/camera-login-fields.tsx';
import type { ContractForm } from '#parts/use-contract-form.ts';
import { SelectField, TextField, TextareaField, UrlField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';
import { AnalysisHint } from './analysis-hint.tsx';
import { useCurrentCamera } from './queries.ts';

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
    <fieldset className="grid grid-cols-1 gap-4 sm:grid-cols-6 sm:*:col-span-3">
      <legend className="mb-3 text-meta font-semibold text-muted">{title}</legend>
      {children}
    </fieldset>
  );
}

export function GeneralFields({ form, camera }: FieldsProps) {
  const { t } = useTranslation();
  const statuses = cameraStatuses.filter((status) => camera !== null || status !== 'error');
  return (
    <Group title={t('cameras.general')}>
      <TextField label={t('camera.name')} required autoComplete="off" {...form.field('name')} />
      <TextField
        label={t('camera.location')}
        required
        autoComplete="off"
        {...form.field('location')}
      />
      <SelectField
        label={t('camera.type')}
        required
        options={cameraTypes.map((value) => ({ value, label: t(`camera.types.${value}`) }))}
        {...form.field('type')}
      />
      <SelectField
        label={t('camera.status')}
        required
        options={statuses.map((value) => ({ value, label: t(`camera.statuses.${value}`) }))}
        {...form.field('status')}
      />
      <TextareaField
        label={t('camera.description')}
        className="sm:col-span-6!"
        rows={2}
        {...form.field('description')}
      />
    </Group>
  );
}

export interface ConnectionFieldsProps extends FieldsProps {
  /** A new one is a copy of a camera whose password did not come along. */
  lacksPassword?: boolean;
}

export function ConnectionFields({ form, camera, lacksPassword = false }: ConnectionFieldsProps) {
  const { t } = useTranslation();
  const type = form.watch('type') ?? 'ip';
  // A password is bound to where it is sent: for another address the server asks for it again.
  const moved = camera !== null && form.watch('url') !== (camera.url ?? '');
  const kept = moved ? t('cameras.passwordAgain') : t('cameras.passwordKeep');
  const hints = { kept, notCopied: t('cameraAdding.passwordNotCopied') };
  return (
    <Group title={t('cameras.connection')}>
      <UrlField
        label={t('camera.url')}
        className="sm:col-span-4!"
        placeholder={urlExamples[type]}
        {...form.field('url')}
      />
      <TextField
        label={t('camera.ipAddress')}
        hint={t('cameras.ipAddressHint')}
        className="sm:col-span-2!"
        autoComplete="off"
        spellCheck={false}
        placeholder="192.168.1.20"
        {...form.field('ip_address')}
      />
      <UrlField
        label={t('camera.subUrl')}
        hint={t('cameras.subUrlHint')}
        className="sm:col-span-6!"
        placeholder={subUrlExamples[type]}
        {...form.field('sub_url')}
      />
      <UrlField
        label={t('camera.deviceUrl')}
        hint={t('cameras.deviceUrlHint')}
        className="sm:col-span-6!"
        placeholder="http://192.168.1.20/onvif/device_service"
        {...form.field('device_url')}
      />
      <CameraLoginFields
        field={form.field}
        passwordHint={
          camera?.has_password ? hints.kept : lacksPassword ? hints.notCopied : undefined
        }
      />
      {(isEncrypted(form.watch('url')) || isEncrypted(form.watch('sub_url'))) && (
        <TextField
          label={t('camera.certificate')}
          hint={t('cameras.certificateHint')}
          className="sm:col-span-6!"
          autoComplete="off"
          spellCheck={false}
          {...form.field('certificate')}
        />
      )}
    </Group>
  );
}

interface SizeHintProps extends Pick<FieldsProps, 'form'> {
  camera: Camera;
}

/** What the camera really sends, beside what is chosen: only its own settings change that. */
function SizeHint({ form, camera }: SizeHintProps) {
  const { t } = useTranslation();
  const chosen = useWatch({ control: form.control, name: 'resolution' });
  const { width, height } = useCurrentCamera(camera).health;
  if (width === null || height === null) return t('cameras.sizeHint');
  const isSame = `${width}x${height}` === chosen;
  return t(isSame ? 'cameras.sizeSame' : 'cameras.sizeOther', { size: `${width}×${height}` });
}

export function PictureFields({ form, camera }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <Group title={t('cameras.picture')}>
      <SelectField
        label={t('camera.resolution')}
        hint={camera === null ? t('cameras.sizeHint') : <SizeHint form={form} camera={camera} />}
        className="sm:col-span-2!"
        options={resolutions.map((value) => ({ value, label: value.replace('x', '×') }))}
        {...form.field('resolution')}
      />
      <TextField
        label={t('camera.fps')}
        hint={camera === null ? t('cameras.fpsHint') : <AnalysisHint form={form} camera={camera} />}
        className="sm:col-span-2!"
        type="number"
        inputMode="numeric"
        min={1}
        max={60}
        {...form.field('fps', { valueAsNumber: true })}
      />
      <SelectField
        label={t('camera.rotation')}
        className="sm:col-span-2!"
        options={rotations.map((angle) => ({ value: String(angle), label: `${angle}°` }))}
        {...form.field('rotation', { valueAsNumber: true })}
      />
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
