/** The mode of the house: chosen by users who may change it, read by the others. */
import { houseModeRoutes, houseModes, type HouseMode } from '@nazar/contract/house-mode.ts';
import { useQuery } from '@tanstack/react-query';
import { problemSentence } from '#api/problem.ts';
import { mayCall } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { modeQuery, useChangeMode } from './queries.ts';

export function HouseModeControl() {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { data } = useQuery(modeQuery());
  const change = useChangeMode();
  const mayChange = mayCall(houseModeRoutes.change.callers, useUser());
  if (data === undefined) return null;
  const { mode, since } = data;
  return (
    <div className="grid justify-items-start gap-1 sm:justify-items-end">
      {mayChange ? (
        <Choice
          mode={change.isPending ? change.variables : mode}
          onChange={(next) => change.mutate(next)}
        />
      ) : (
        <p className="text-ui font-medium">
          {t('alerts.modeIs', { mode: t(`alerts.modes.${mode}`) })}
        </p>
      )}
      <p className="text-meta text-muted">
        {mode === 'off'
          ? t('alerts.modeOff')
          : since !== null && t('alerts.modeSince', { time: formatTime(since) })}
      </p>
      {change.isError && <Banner tone="error">{problemSentence(change.error)}</Banner>}
    </div>
  );
}

function Choice({ mode, onChange }: { mode: HouseMode; onChange: (mode: HouseMode) => void }) {
  const { t } = useTranslation();
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="text-ui text-muted">
        {t('alerts.mode')}
      </span>
      <Segmented
        label={t('alerts.mode')}
        value={mode}
        onChange={onChange}
        options={houseModes.map((value) => ({ value, label: t(`alerts.modes.${value}`) }))}
      />
    </span>
  );
}
