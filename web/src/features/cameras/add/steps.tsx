/** The steps of adding a camera, each a part of one form. */
import { cameraTypes } from '@nazar/contract/cameras.ts';
import type { DeviceStream } from '@nazar/contract/devices.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField, TextareaField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';
import { ConnectionFields, type FieldsProps } from '../camera-fields.tsx';
import { FindCameras } from '../find/find-cameras.tsx';
import { TestConnection } from '#parts/connection-test/test-connection.tsx';
import type { FormTest } from '#parts/connection-test/use-connection-test.ts';
import { NewRecordingField, type NewRecording } from './new-recording.tsx';
import { smallerStream } from './smaller-stream.ts';

type StepProps = Pick<FieldsProps, 'form'>;

export interface AddressStepProps extends StepProps {
  onSuggested: (stream: DeviceStream | null) => void;
}

export function AddressStep({ form, onSuggested }: AddressStepProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className="text-ui text-muted">{t('cameraAdding.addressText')}</p>
      <FindCameras
        form={form}
        camera={null}
        onMain={(stream, streams) => onSuggested(smallerStream(stream, streams))}
      />
      <SelectField
        label={t('camera.type')}
        required
        options={cameraTypes.map((value) => ({ value, label: t(`camera.types.${value}`) }))}
        {...form.field('type')}
      />
      <ConnectionFields form={form} camera={null} />
    </>
  );
}

export interface TestStepProps extends StepProps {
  test: FormTest;
  suggested: DeviceStream | null;
}

export function TestStep({ form, test, suggested }: TestStepProps) {
  const { t } = useTranslation();
  const isOffered = suggested !== null && form.watch('sub_url') !== suggested.url;
  return (
    <>
      <p className="text-ui text-muted">{t('cameraAdding.testText')}</p>
      <TestConnection test={test} />
      {isOffered && (
        <Banner
          tone="info"
          action={
            <Button
              look="link"
              className="text-current underline"
              onClick={() => form.setValue('sub_url', suggested.url, { shouldDirty: true })}
            >
              {t('find.useSub')}
            </Button>
          }
        >
          {t('cameraAdding.smaller', {
            size: `${suggested.width ?? ''}×${suggested.height ?? ''}`,
          })}
        </Banner>
      )}
    </>
  );
}

export function NameStep({ form }: StepProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      <TextField label={t('camera.name')} required autoComplete="off" {...form.field('name')} />
      <TextField
        label={t('camera.location')}
        required
        autoComplete="off"
        {...form.field('location')}
      />
      <TextareaField label={t('camera.description')} rows={2} {...form.field('description')} />
    </div>
  );
}

export interface UseStepProps extends StepProps {
  recording: NewRecording;
  onRecording: (recording: NewRecording) => void;
}

/** A camera starts inactive unless the user decides otherwise. */
export function UseStep({ form, recording, onRecording }: UseStepProps) {
  const { t } = useTranslation();
  const isActive = form.watch('status') === 'active';
  return (
    <div className="grid gap-4">
      <Switch
        label={t('cameraAdding.activate')}
        hint={t('cameraAdding.activateHint')}
        checked={isActive}
        onChange={({ target }) => form.setValue('status', target.checked ? 'active' : 'inactive')}
      />
      <NewRecordingField value={recording} onValue={onRecording} />
      <Switch
        label={t('camera.faceRecognition')}
        hint={t('cameras.faceRecognitionHint')}
        {...form.register('enable_face_recognition')}
      />
      <Switch
        label={t('camera.audio')}
        hint={t('cameras.audioHint')}
        {...form.register('enable_audio')}
      />
    </div>
  );
}
