/** What a verification found: whole or where it breaks, how far it reaches, and what cannot be said. */
import type { ChainFault, ChainResult } from '@nazar/contract/chain-verification.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Facts } from '#ui/data-list.tsx';

/** To the second: entries stand close together. */
const precise = { dateStyle: 'medium', timeStyle: 'medium' } as const;

export function Result({ result }: { result: ChainResult }) {
  const { t } = useTranslation();
  const unsaid = unsaidOf(t, result);
  return (
    <div className="grid grid-cols-1 gap-4">
      {result.fault === null ? (
        <Banner tone="success">{t('verification.whole')}</Banner>
      ) : (
        <Broken fault={result.fault} />
      )}
      <Reach result={result} />
      {unsaid.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-medium">{t('verification.unsaid')}</h3>
          <ul className="list-disc space-y-1 pl-5 text-muted">
            {unsaid.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Broken({ fault }: { fault: ChainFault }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { kind, sequence, found, line, anchor } = fault;
  const anchored = anchor && { reached: anchor.sequence, time: formatTime(anchor.at, precise) };
  return (
    <Banner tone="error">
      <p>{t(`verification.broken.${kind}`, { number: sequence, found, line, ...anchored })}</p>
      {fault.recorded_at !== null && (
        <p>{t('verification.ownTime', { time: formatTime(fault.recorded_at, precise) })}</p>
      )}
      <p className="font-normal">{t('verification.brokenNote')}</p>
    </Banner>
  );
}

function Reach({ result: { entries, first, last, anchors } }: { result: ChainResult }) {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const place = ({ sequence, recorded_at: at }: NonNullable<ChainResult['first']>) =>
    t('verification.place', { time: formatTime(at, precise), number: sequence });
  const known = anchors.last && {
    number: anchors.last.sequence,
    time: formatTime(anchors.last.at, precise),
  };
  return (
    <Facts
      stacks
      facts={[
        { name: t('verification.entries'), value: formatNumber(entries) },
        ...(first ? [{ name: t('verification.first'), value: place(first) }] : []),
        ...(last ? [{ name: t('verification.last'), value: place(last) }] : []),
        {
          name: t('verification.anchors'),
          value: known
            ? t('verification.anchorCount', { count: anchors.count, ...known })
            : t('verification.noAnchor'),
        },
      ]}
    />
  );
}

/** Nothing is passed over in silence. */
function unsaidOf(t: Translate, { pruned, anchors, last, unsealed, fault }: ChainResult): string[] {
  const reached = anchors.last?.sequence ?? 0;
  const end = last?.sequence ?? 0;
  return [
    ...(pruned > 0 ? [t('verification.pruned', { count: pruned })] : []),
    ...(fault === null && reached === 0 && end > 0 ? [t('verification.withoutAnchor')] : []),
    ...(fault === null && reached > 0 && reached < end
      ? [t('verification.afterAnchor', { number: reached })]
      : []),
    ...(unsealed > 0 ? [t('verification.unsealed', { count: unsealed })] : []),
  ];
}
