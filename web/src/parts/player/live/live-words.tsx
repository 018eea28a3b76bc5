/** What a live view says of itself, over the foot of the picture. */
import { LoaderCircle, TriangleAlert } from 'lucide-react';
import { cx } from '#lib/class-names.ts';

export interface LiveWordsProps {
  children: string;
  busy: boolean;
  announce: boolean;
}

export function LiveWords({ children, busy, announce }: LiveWordsProps) {
  const Icon = busy ? LoaderCircle : TriangleAlert;
  return (
    <p
      role={announce ? 'status' : undefined}
      className="absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] items-start gap-1.5 rounded-control bg-black/75 px-2.5 py-1.5 text-meta font-medium text-white"
    >
      <Icon aria-hidden className={cx('mt-px size-3.5 shrink-0', busy && 'animate-spin')} />
      <span>{children}</span>
    </p>
  );
}
