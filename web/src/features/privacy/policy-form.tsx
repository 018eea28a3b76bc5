import { privacyRoutes } from '@nazar/contract/privacy.ts';
import { PrivacySettings, settingsRoutes } from '@nazar/contract/settings.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { mayChangeCameras } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { Switch } from '#ui/switch.tsx';

const limits = [
  ['unknownFaceDays', 1, 365],
  ['faceLogDays', 0, 3650],
  ['activityNoteDays', 0, 3650],
  ['unseenPersonDays', 0, 1095],
] as const;

export interface PolicyFormProps {
  policy: PrivacySettings;
  onNotice: (text: string) => void;
}

/** Who may not change the settings reads them. */
export function PolicyForm({ policy, onNotice }: PolicyFormProps) {
  const { t } = useTranslation();
  const mayChange = mayChangeCameras(useUser());
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(PrivacySettings, policy);
  const { isSubmitting } = form.formState;
  const save = useChange('privacy', (privacy: PrivacySettings) =>
    call(settingsRoutes.update, { body: { privacy } }),
  );
  const submit = form.handleSubmit(async (values) => {
    setRefused(null);
    try {
      await save.mutateAsync(values);
      onNotice(t('privacy.saved'));
    } catch (error) {
      setRefused(showProblem(form, error));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      {!mayChange && <Banner tone="info">{t('privacy.readOnly')}</Banner>}
      <fieldset disabled={!mayChange} className="grid gap-4">
        <SelectField
          label={t('privacy.strangers')}
          {...form.field('strangers')}
          options={[
            { value: 'keep', label: t('privacy.strangersKeep') },
            { value: 'discard', label: t('privacy.strangersDiscard') },
          ]}
        />
        {limits.map(([name, min, max]) => (
          <TextField
            key={name}
            label={t(`privacy.${name}`)}
            hint={t(`privacy.${name}Hint`)}
            required
            type="number"
            inputMode="numeric"
            min={min}
            max={max}
            {...form.field(name, { valueAsNumber: true })}
          />
        ))}
        <Switch
          label={t('privacy.requireConsent')}
          hint={t('privacy.requireConsentHint')}
          {...form.register('requireConsent')}
        />
      </fieldset>
      {mayChange && (
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {t('privacy.save')}
        </Button>
      )}
      {mayChange && <RunNow onNotice={onNotice} />}
    </form>
  );
}

/** By hand it also says that the hour is right. */
function RunNow({ onNotice }: { onNotice: (text: string) => void }) {
  const { t } = useTranslation();
  const run = useChange('privacy', () => call(privacyRoutes.removeOld, {}));
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <p className="text-meta text-muted">{t('privacy.runText')}</p>
      {run.isError && <Banner tone="error">{problemSentence(run.error)}</Banner>}
      <Button
        look="secondary"
        className="justify-self-start"
        busy={run.isPending}
        onClick={() =>
          run.mutate(undefined, {
            onSuccess: ({ visits, unknown_faces: faces, people }) =>
              onNotice(t('privacy.ran', { visits, faces, people })),
          })
        }
      >
        {t('privacy.run')}
      </Button>
    </div>
  );
}
