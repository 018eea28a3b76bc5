import { settingReasons, type LeftSetting } from '@nazar/contract/camera-import.ts';
import { useTranslation } from '#lib/i18n.ts';

export interface SettingsLeftProps {
  settings: readonly LeftSetting[];
  /** So many more than those. */
  more: number;
}

/** Each setting of the file that isn't taken over: what the file says, below why. */
export function SettingsLeft({ settings, more }: SettingsLeftProps) {
  const { t } = useTranslation();
  if (settings.length + more === 0) return null;
  const title = t('cameraImport.settingsLeft', { count: settings.length + more });
  const byReason = Map.groupBy(settings, ({ reason }) => reason);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-ui font-semibold">{title}</h3>
      <section
        aria-label={title}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
        tabIndex={0}
        className="grid max-h-80 grid-cols-[minmax(0,1fr)] gap-3 overflow-y-auto rounded-control border border-line p-3"
      >
        {settingReasons.map((reason) => {
          const lines = byReason.get(reason);
          return lines && <Reason key={reason} reason={reason} lines={lines} />;
        })}
        {more > 0 && <p className="text-meta">{t('cameraImport.settingsMore', { count: more })}</p>}
      </section>
    </div>
  );
}

interface ReasonProps {
  reason: LeftSetting['reason'];
  lines: readonly LeftSetting[];
}

function Reason({ reason, lines }: ReasonProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1">
      <p className="text-meta font-medium">{t(`cameraImport.settings.${reason}`)}</p>
      <ul className="grid gap-0.5 text-meta text-muted">
        {lines.map(({ path, value }, n) => (
          // oxlint-disable-next-line react/no-array-index-key -- two paths may look alike once they are shortened
          <li key={`${path} ${n}`} className="break-all">
            <bdi>{value === '' ? path : `${path}: ${value}`}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
