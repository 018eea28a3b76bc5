import type { RefusedImage } from '@nazar/contract/faces.ts';
import { CircleX } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem } from '#api/problem.ts';
import { Banner } from '#ui/banner.tsx';

/** Which files of those that were sent are not saved, and why; the others are. */
export function RefusedPhotos({ refused }: { refused: readonly RefusedImage[] }) {
  const { t } = useTranslation();
  if (refused.length === 0) return null;
  const sentence = t('photo.notSaved', { count: refused.length });
  return (
    <div className="grid gap-2 rounded-control border border-danger/40 px-3 py-2.5 text-ui">
      <p role="alert" className="font-medium">
        {sentence}
      </p>
      <ul aria-label={sentence} className="grid gap-2">
        {refused.map(({ index, name, detail }) => (
          <li key={index} className="flex items-start gap-1.5">
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-text" />
            <span className="min-w-0">
              <bdi className="block font-medium wrap-anywhere">
                {name === '' ? t('photo.number', { number: index + 1 }) : name}
              </bdi>
              {detail}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export interface SendingProblemProps {
  error: unknown;
  /** What is said of anything but files; null: it is said elsewhere. */
  sentence: string | null;
}

/** Why sending photos failed; where none of several files could be saved, why each. */
export function SendingProblem({ error, sentence }: SendingProblemProps) {
  const { t } = useTranslation();
  const files = error instanceof Problem ? (error.fields['uploaded_images'] ?? []) : [];
  if (files.length > 1) {
    return (
      <Banner tone="error">
        {t('photo.noneSaved')}
        <ul className="mt-1 grid gap-1 font-normal">
          {files.map((file) => (
            <li key={file} className="wrap-anywhere">
              {file}
            </li>
          ))}
        </ul>
      </Banner>
    );
  }
  return sentence === null ? null : <Banner tone="error">{sentence}</Banner>;
}
