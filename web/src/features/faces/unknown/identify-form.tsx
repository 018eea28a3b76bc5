import type { Identification, UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { showProblem } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { IdentityFields } from '../person/person-fields.tsx';
import { emptyPerson, usePersonForm } from '../person/person-form.ts';
import { fullName } from '../recognition.ts';
import { PersonChoice, type KnownPerson } from './person-choice.tsx';
import { StepActions } from './step-actions.tsx';
import type { StrangerStepProps } from './stranger-step.ts';
import { changes } from './strangers.ts';

export interface StepFormProps extends StrangerStepProps {
  onCancel: () => void;
}

const useIdentify = ({ id }: UnknownFace) =>
  useChange('faces', (who: Identification) => changes.identify(id, who));

/** A person who is enrolled already: this face becomes another photo of theirs. */
function AsKnown({ stranger, onCancel, onSaid }: StepFormProps) {
  const { t } = useTranslation();
  const [person, setPerson] = useState<KnownPerson | null>(null);
  const identify = useIdentify(stranger);
  const [missing, setMissing] = useState(false);
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(person === null);
        if (person === null) return;
        const done = t('strangers.identified', { name: fullName(person) });
        identify.mutate({ face: person.id }, { onSuccess: (now) => onSaid(now, done) });
      }}
    >
      <PersonChoice chosen={person} onChoose={setPerson} />
      {missing && <Banner tone="error">{t('strangers.choosePerson')}</Banner>}
      <StepActions
        label={t('strangers.identifyConfirm')}
        busy={identify.isPending}
        refused={identify.isError ? problemSentence(identify.error) : null}
        onBack={onCancel}
      />
    </form>
  );
}

/** A new person, by name; everything else can be filled in later. */
function AsNew({ stranger, onCancel, onSaid }: StepFormProps) {
  const { t } = useTranslation();
  const form = usePersonForm(emptyPerson);
  const [refused, setRefused] = useState<string | null>(null);
  const identify = useIdentify(stranger);
  const submit = form.handleSubmit(async ({ first_name, last_name, category }) => {
    setRefused(null);
    try {
      const now = await identify.mutateAsync({ first_name, last_name, category });
      onSaid(now, t('strangers.identified', { name: fullName({ first_name, last_name }) }));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <IdentityFields form={form} />
      </div>
      <StepActions
        label={t('strangers.identifyConfirm')}
        busy={identify.isPending}
        refused={refused}
        onBack={onCancel}
      />
    </form>
  );
}

/** An enrolled person or a new one. All visits of the stranger are theirs from then on. */
export function IdentifyForm(props: StepFormProps) {
  const { t } = useTranslation();
  const [as, setAs] = useState<'known' | 'new'>('known');
  return (
    <div className="grid gap-5">
      <p className="text-ui text-muted">{t('strangers.identifyText')}</p>
      <div>
        <Segmented
          label={t('strangers.identifyAs')}
          value={as}
          onChange={setAs}
          options={[
            { value: 'known', label: t('strangers.asKnown') },
            { value: 'new', label: t('strangers.asNew') },
          ]}
        />
      </div>
      {as === 'known' ? <AsKnown {...props} /> : <AsNew {...props} />}
    </div>
  );
}
