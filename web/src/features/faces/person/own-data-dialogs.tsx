import type { Face } from '@nazar/contract/faces.ts';
import { privacyRoutes, type ConfirmedProof } from '@nazar/contract/privacy.ts';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { useRemoval } from '#api/query.ts';
import { fullName } from '../recognition.ts';
import { downloadData } from '../queries.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { UnknownChoice } from './unknown-choice.tsx';
import { useUnknownChoice } from './use-unknown-choice.ts';

export interface OwnDataProps {
  face: Face;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Everything that is stored of a person, for them. */
export function ExportDialog({ face, onClose, onDone }: OwnDataProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  const { query, withConfirmed, confirmed: _, ...choice } = useUnknownChoice(face.id, () => true);
  return (
    <ProofDialog
      title={t('consent.export')}
      text={t('consent.exportText', { name })}
      confirmLabel={t('consent.export')}
      obstacle={() => (query.isLoading ? t('unknownMatches.wait') : null)}
      onClose={onClose}
      onProven={async (proof) => {
        await withConfirmed(proof, (body) => downloadData(face.id, body));
        onDone(t('consent.exported'));
      }}
    >
      <UnknownChoice query={query} text={t('unknownMatches.exportText', { name })} {...choice} />
    </ProofDialog>
  );
}

/** To the last byte, and for good. */
export function EraseDialog({ face, onClose, onDone }: OwnDataProps) {
  const { t } = useTranslation();
  const name = fullName(face);
  const {
    query,
    withConfirmed,
    confirmed: _,
    ...choice
  } = useUnknownChoice(face.id, (match) => match.may_erase);
  const erase = useRemoval(
    'faces',
    () => face.id,
    (body: ConfirmedProof) => call(privacyRoutes.erase, { params: { id: face.id }, body }),
  );
  return (
    <ProofDialog
      danger
      title={t('consent.erase')}
      text={t('consent.eraseText', { name })}
      confirmLabel={t('consent.erase')}
      obstacle={() => (query.isLoading ? t('unknownMatches.wait') : null)}
      onClose={onClose}
      onProven={async (proof) => {
        await withConfirmed(proof, (body) => erase.mutateAsync(body));
        onDone(t('consent.erased', { name }));
      }}
    >
      <UnknownChoice query={query} text={t('unknownMatches.eraseText', { name })} {...choice} />
    </ProofDialog>
  );
}
