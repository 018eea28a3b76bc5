/** The settings of the page and what is seldom done. */
import {
  Bug,
  Eraser,
  FlaskConical,
  MoreHorizontal,
  ShieldCheck,
  TestTube,
  Trash2,
} from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '#ui/menu.tsx';
import { refreshIntervals, type AutoRefresh, type RefreshSeconds } from './use-auto-refresh.ts';

export interface LogMenuProps {
  refresh: AutoRefresh;
  /** They verify the activity log and make mock entries. */
  isAdministrator: boolean;
  isDebugging: boolean;
  onTest: () => void;
  onMock: () => void;
  onVerify: () => void;
  onClearCache: () => void;
  onDebug: () => void;
  onDeleteAll: () => void;
}

export function LogMenu({ refresh, isAdministrator, isDebugging, ...on }: LogMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu
      side="left"
      align="start"
      trigger={
        <IconButton label={t('activityLog.menu')} className="max-sm:ml-auto">
          <MoreHorizontal aria-hidden />
        </IconButton>
      }
    >
      <MenuItem checked={refresh.isOn} onSelect={() => refresh.setOn(!refresh.isOn)}>
        {t('activityLog.autoRefresh')}
      </MenuItem>
      <MenuLabel>{t('activityLog.interval')}</MenuLabel>
      <MenuChoice
        label={t('activityLog.interval')}
        value={String(refresh.seconds)}
        options={refreshIntervals.map((seconds) => ({
          value: String(seconds),
          label: t('activityLog.everySeconds', { seconds }),
        }))}
        onChoose={(value) => refresh.setSeconds(Number(value) as RefreshSeconds)}
      />
      <MenuSeparator />
      {isAdministrator && (
        <>
          <MenuItem icon={<ShieldCheck aria-hidden />} onSelect={on.onVerify}>
            {t('activityLog.verify')}
          </MenuItem>
          <MenuItem icon={<TestTube aria-hidden />} onSelect={on.onTest}>
            {t('activityLog.testLog')}
          </MenuItem>
          <MenuItem icon={<FlaskConical aria-hidden />} onSelect={on.onMock}>
            {t('activityLog.mockLogs')}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Eraser aria-hidden />} onSelect={on.onClearCache}>
        {t('activityLog.clearCache')}
      </MenuItem>
      <MenuItem icon={<Bug aria-hidden />} checked={isDebugging} onSelect={on.onDebug}>
        {t('activityLog.debug')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={on.onDeleteAll}>
        {t('activityLog.deleteAll')}
      </MenuItem>
    </Menu>
  );
}
