/** Says how old a picture is that stands still: a frozen picture must not be taken for what is there now. */
import { useTranslation } from '#lib/i18n.ts';
import { formatSeconds } from '#lib/format.ts';

export function PictureAge({ ageMs }: { ageMs: number }) {
  const { t } = useTranslation();
  return (
    <div
      data-testid="picture-age"
      className="pointer-events-none absolute inset-0 grid place-items-center bg-black/50"
    >
      <span className="rounded-control bg-black/75 px-3 py-1.5 text-ui font-medium text-white tabular-nums">
        {t('liveView.age', { time: formatSeconds(Math.floor(ageMs / 1000)) })}
      </span>
    </div>
  );
}
