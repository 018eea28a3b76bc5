import type { Face } from '@nazar/contract/faces.ts';
import { privacyRoutes } from '@nazar/contract/privacy.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { useChange } from '#api/query.ts';
import { fullName } from '../recognition.ts';
import { downloadData } from '../queries.ts';
import { ProofDialog } from './proof-dialog.tsx';

export interface OwnDataProps {
  face: Face;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** C-1007: everything kept of somebody, for them. */
export function ExportDialog({ face, onClose, onDone }: OwnDataProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  return (
    <ProofDialog
      title={t('consent.export')}
      text={t('consent.exportText', { name })}
      confirmLabel={t('consent.export')}
      onClose={onClose}
      onProven={async (proof) => {
        await downloadData(face.id, proof);
        onDone(t('consent.exported'));
      }}
    />
  );
}

/** C-1003: to the last byte, and for good. */
export function EraseDialog({ face, onClose, onDone }: OwnDataProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  const erase = useChange('faces', (body: FreshProof) =>
    call(privacyRoutes.erase, { params: { id: face.id }, body }),
  );
  return (
    <ProofDialog
      danger
      title={t('consent.erase')}
      text={t('consent.eraseText', { name })}
      confirmLabel={t('consent.erase')}
      onClose={onClose}
      onProven={async (proof) => {
        await erase.mutateAsync(proof);
        onDone(t('consent.erased', { name }));
      }}
    />
  );
}
