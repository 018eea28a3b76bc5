import type { Certificate, Erasure } from '@nazar/contract/privacy.ts';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { useFormat } from '#lib/format.ts';
import { Facts } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';

/** How many unknown people went with the person, of how many that were found. */
function unknownWords(t: Translate, unknown: Certificate['unknown']): string {
  if (unknown === null) return t('privacy.unknownNotCompared');
  const { found, taken, not_comparable: others, all_cameras: isEverywhere } = unknown;
  const words = [
    t('privacy.unknownTaken', { taken, found }),
    others !== null && others > 0 && t('unknownMatches.otherModel', { count: others }),
    !isEverywhere && t('privacy.unknownSomeCameras'),
  ];
  return joined(words, ' ');
}

/** Nothing in it identifies the person. */
export function CertificateDialog({ erasure, onClose }: { erasure: Erasure; onClose: () => void }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { certificate, removed_at, cleaned_at } = erasure;
  if (!certificate) return null;
  const time = (at: string | null): string => (at === null ? '–' : formatTime(at));
  const proof = (isClean: boolean): string =>
    isClean ? t('privacy.proven') : t('privacy.notProven');
  const counted = ['people', 'images', 'vectors', 'pictures', 'visits', 'notes'] as const;
  const facts = [
    { name: t('privacy.removedAt'), value: time(removed_at) },
    { name: t('privacy.cleanedAt'), value: time(cleaned_at) },
    ...counted.map((name) => ({ name: t(`privacy.count.${name}`), value: certificate[name] })),
    { name: t('privacy.count.unknown'), value: unknownWords(t, certificate.unknown) },
    { name: t('privacy.tables'), value: proof(certificate.tables_clean) },
    { name: t('privacy.statistics'), value: proof(certificate.statistics_clean) },
    { name: t('privacy.log'), value: proof(certificate.log_clean) },
    {
      name: t('privacy.digest'),
      value: <code className="text-meta break-all">{certificate.subject_digest}</code>,
    },
  ];
  return (
    <Dialog
      open
      title={t('privacy.certificate')}
      description={t('privacy.certificateText')}
      onClose={onClose}
    >
      <Facts stacks facts={facts} />
    </Dialog>
  );
}
