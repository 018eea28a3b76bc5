/** Cameras out of a file of Frigate or go2rtc: choose it, choose among what is in it. Nothing is saved before. */
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useUnsaved } from '#lib/unsaved.ts';
import { Banner } from '#ui/banner.tsx';
import { ImportChoice } from './import-choice.tsx';
import { ImportFile } from './import-file.tsx';
import { ImportResult } from './import-result.tsx';
import { useImport } from './use-import.ts';

export interface ImportCamerasProps {
  /** The sentence to show. */
  onImported: (sentence: string) => void;
  onCancel: () => void;
}

export function ImportCameras({ onImported, onCancel }: ImportCamerasProps) {
  const { t } = useTranslation();
  const [isPasted, setIsPasted] = useState(false);
  const file = useImport((count) => onImported(t('cameraImport.done', { count })));
  const { preview, outcome } = file;
  useUnsaved(() => preview !== null && outcome === null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {file.error !== null && <Banner tone="error">{file.error}</Banner>}
      {preview === null && (
        <ImportFile
          isPasted={isPasted}
          onPasted={() => setIsPasted(true)}
          busy={file.isBusy}
          onFile={(chosen) => void file.choose(chosen)}
          onText={file.read}
          onCancel={onCancel}
        />
      )}
      {preview !== null && outcome !== null && (
        <ImportResult outcome={outcome} onBack={file.readAgain} onClose={onCancel} />
      )}
      {preview !== null && outcome === null && (
        <ImportChoice
          preview={preview}
          variables={file.variables}
          onVariables={file.setVariables}
          onAgain={file.readAgain}
          onAdd={file.add}
          onBack={file.forget}
          onCancel={onCancel}
          busy={file.isBusy}
        />
      )}
    </div>
  );
}
