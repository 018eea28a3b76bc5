import type { RecordingExport } from '@nazar/contract/exports.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { CopyField } from '#ui/copy-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { leftOutWords, periodWords } from './words.ts';

/** How a recipient verifies that the file is what was recorded. Its name has letters, digits and hyphens only. */
export function ExportDetails({ made, onClose }: { made: RecordingExport; onClose: () => void }) {
  const { t } = useTranslation();
  const { camera_name: name, file_name: file, sha256 } = made;
  const copy = { copyLabel: t('handover.copy'), copiedLabel: t('handover.copied'), mono: true };
  const command = `npm run recordings -- verify-export ${file}`;
  return (
    <Dialog
      open
      title={t('handover.verifyTitle')}
      description={joined([name, periodWords(made.from, made.until)])}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <CopyField
          label={t('handover.hash')}
          hint={t('handover.hashHint')}
          value={sha256 ?? ''}
          {...copy}
        />
        <CopyField
          label={t('handover.command')}
          hint={t('handover.commandHint')}
          value={command}
          {...copy}
        />
        <ul className="list-disc space-y-1 pl-5 text-ui">
          <li>{t('handover.provesWhole')}</li>
          <li>{t('handover.provesOrigin')}</li>
          <li>{t('handover.provesGaps')}</li>
          {(made.encoded_seconds ?? 0) > 0 && <li>{t('handover.provesEncoded')}</li>}
          {(made.left_out_seconds ?? 0) > 0 && <li>{leftOutWords(t, made)}</li>}
          {made.masked && <li>{t('handover.provesMasked')}</li>}
        </ul>
      </div>
    </Dialog>
  );
}
