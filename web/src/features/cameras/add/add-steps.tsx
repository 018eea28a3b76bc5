import type { CameraFields } from '@nazar/contract/cameras.ts';
import type { DeviceStream } from '@nazar/contract/devices.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { takeFocus } from '#lib/take-focus.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { FieldsProps } from '../camera-fields.tsx';
import { steps, type Step } from './draft.ts';
import { AddressStep, NameStep, TestStep, UseStep } from './steps.tsx';
import { useConnectionTest } from '#parts/connection-test/use-connection-test.ts';
import { testedOf } from '../tested-camera.ts';
import type { NewRecording } from './new-recording.tsx';
import { useAdd } from './use-add.ts';

/** What must be right before one goes on, and where to go when the server refuses it. */
const fieldsOfStep: Readonly<Record<Step, readonly (keyof CameraFields)[]>> = {
  address: [
    ...(['type', 'url', 'ip_address', 'sub_url', 'device_url', 'username'] as const),
    ...(['password', 'certificate'] as const),
  ],
  test: [],
  name: ['name', 'location', 'description'],
  use: ['status', 'enable_face_recognition', 'enable_audio'],
};

export interface AddStepsProps {
  form: FieldsProps['form'];
  step: Step;
  onStep: (step: Step) => void;
  recording: NewRecording;
  onRecording: (recording: NewRecording) => void;
  /** What was typed into these fields did not outlive a reload. */
  lacksSecrets: boolean;
  /** A smaller stream that the camera says it has. */
  suggested: DeviceStream | null;
  onSuggested: (stream: DeviceStream | null) => void;
  onAdded: (sentence: string) => void;
  onAllSettings: () => void;
  onImport: () => void;
  onCancel: () => void;
}

export function AddSteps(props: AddStepsProps) {
  const { form, step, recording, onRecording, suggested, onSuggested, onCancel, onAdded } = props;
  const { t } = useTranslation();
  const [hasMoved, setMoved] = useState(false);
  const onStep = (to: Step): void => {
    setMoved(true);
    props.onStep(to);
  };
  const at = steps.indexOf(step);
  const adding = useAdd(form, recording, onAdded);
  const test = useConnectionTest(() => testedOf(form, null));
  const next = async (): Promise<void> => {
    if (step === 'address' && (form.getValues('url') ?? '').trim() === '') {
      form.refuse('url', t('problem:field.required'));
      return;
    }
    const isRight = await form.judge(fieldsOfStep[step]);
    const after = steps[at + 1];
    if (!isRight) return;
    if (after !== undefined) {
      onStep(after);
      // Who goes on wants to see what the camera shows, and would press the button next.
      if (after === 'test') test.start();
      return;
    }
    const wrong = await adding.add();
    const back = steps.find((one) => fieldsOfStep[one].some((name) => wrong.includes(name)));
    if (back !== undefined) onStep(back);
  };
  const isLast = at === steps.length - 1;
  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void next();
      }}
    >
      {/* A screen reader announces the next step; the dialog itself opens in the first field. */}
      <h3
        key={step}
        ref={hasMoved ? takeFocus : undefined}
        tabIndex={-1}
        className="text-body font-semibold outline-none"
      >
        {t('cameraAdding.step', { number: at + 1, count: steps.length })}{' '}
        {t(`cameraAdding.steps.${step}`)}
      </h3>
      {adding.refused !== null && <Banner tone="error">{adding.refused}</Banner>}
      {step === 'address' && props.lacksSecrets && (
        <Banner tone="info">{t('cameraAdding.secretsGone')}</Banner>
      )}
      {step === 'address' && (
        <div className="flex flex-wrap gap-4">
          <Button look="link" onClick={props.onAllSettings}>
            {t('cameraAdding.allSettings')}
          </Button>
          <Button look="link" onClick={props.onImport}>
            {t('cameraImport.open')}
          </Button>
        </div>
      )}
      {step === 'address' && <AddressStep form={form} onSuggested={onSuggested} />}
      {step === 'test' && <TestStep form={form} test={test} suggested={suggested} />}
      {step === 'name' && <NameStep form={form} />}
      {step === 'use' && <UseStep form={form} recording={recording} onRecording={onRecording} />}
      <Actions className="mt-0!">
        <Button look="secondary" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        {at > 0 && (
          <Button look="secondary" onClick={() => onStep(steps[at - 1]!)}>
            {t('cameraAdding.back')}
          </Button>
        )}
        <Button type="submit" busy={adding.isBusy}>
          {isLast ? t('cameras.add') : t('cameraAdding.next')}
        </Button>
      </Actions>
    </form>
  );
}
