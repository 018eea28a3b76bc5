import { modelRoutes, type ModelsReply } from '@nazar/contract/models.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/fields.tsx';

/** Another installed model, and a question before anything begins. */
export function ChooseModel({ models: { installed, serving } }: { models: ModelsReply }) {
  const { t } = useTranslation();
  const others = installed.filter(
    ({ id, version }) => id !== serving.id || version !== serving.version,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [asks, setAsks] = useState(false);
  const begin = useChange('settings', (model: string) =>
    call(modelRoutes.use, { body: { model, accept_losses: 0 } }),
  );
  const model = others.find(({ id }) => id === chosen) ?? others[0];
  if (!model) return <p className="text-ui text-muted">{t('models.noOthers')}</p>;
  const words = { id: model.id, serving: serving.id };
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label={t('models.changeTo')}
        className="min-w-56 flex-1"
        value={model.id}
        onChange={({ target }) => setChosen(target.value)}
        options={others.map((one) => ({ value: one.id, label: t('models.choice', one) }))}
      />
      <Button look="secondary" onClick={() => setAsks(true)}>
        {t('models.change')}
      </Button>
      <AlertDialog
        open={asks}
        title={t('models.changeTitle', words)}
        description={t(serving.is_installed ? 'models.changeText' : 'models.changeMissing', words)}
        confirmLabel={t('models.change')}
        busy={begin.isPending}
        error={begin.isError ? <Banner tone="error">{problemSentence(begin.error)}</Banner> : null}
        onConfirm={() => begin.mutate(model.id, { onSuccess: () => setAsks(false) })}
        onClose={() => setAsks(false)}
      />
    </div>
  );
}
