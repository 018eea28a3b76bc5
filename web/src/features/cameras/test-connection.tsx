/** Asks the server to ask the camera, before anything is saved (CAM-053 to CAM-057). */
import { probingRoutes } from '@nazar/contract/probing.ts';
import { useMutation } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { FieldsProps } from './camera-fields.tsx';
import { useConnectionWords, type ConnectionWords } from './connection-words.ts';

export function TestConnection({ form, camera }: FieldsProps) {
  const { t } = useTranslation();
  const words = useConnectionWords();
  const [said, setSaid] = useState<ConnectionWords | null>(null);
  const [still, setStill] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: () => {
      const { name, type, url, username, password, certificate } = form.getValues();
      const body = { name, type, url, username, password, certificate };
      return call(probingRoutes.testUnsaved, {
        body: camera === null ? body : { ...body, camera: camera.id },
      });
    },
    onMutate: () => {
      setSaid(null);
      setStill(null);
    },
    onSuccess: (answer) => {
      setSaid(words.answered(form.getValues('name'), answer));
      setStill(answer.still);
    },
    onError: (error) => setSaid(words.refused(form.getValues('name'), error)),
  });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button look="secondary" type="button" busy={test.isPending} onClick={() => test.mutate()}>
          <PlugZap aria-hidden />
          {t('cameras.test')}
        </Button>
        {test.isPending && <output className="text-meta text-muted">{t('cameras.testing')}</output>}
      </div>
      {still !== null && (
        <img
          src={`data:image/jpeg;base64,${still}`}
          alt={t('cameraAdding.still')}
          className="max-h-72 w-full rounded-control bg-surface-3 object-contain"
        />
      )}
      {said !== null && (
        <Banner tone={said.tone} onClose={() => setSaid(null)}>
          {said.text}
        </Banner>
      )}
    </div>
  );
}
