/** Says that something worked: over the page, so that nothing moves, and gone by itself. */
import { useState } from 'react';
import { Banner } from '#ui/banner.tsx';

export interface Notice {
  readonly text: string;
  /** Two notices with the same words are two notices. */
  readonly at: number;
}

export function useNotice(): [Notice | null, (text: string | null) => void] {
  const [notice, setNotice] = useState<Notice | null>(null);
  return [notice, (text) => setNotice(text === null ? null : { text, at: performance.now() })];
}

export interface NoticeBannerProps {
  notice: Notice | null;
  clearAfterMs: number;
  onClose: () => void;
}

export function NoticeBanner({ notice, clearAfterMs, onClose }: NoticeBannerProps) {
  // The live region stands before its words do: some readers announce only what changes inside one.
  return (
    <output className="pointer-events-none fixed inset-x-4 top-16 z-50 block sm:left-auto sm:w-96">
      {notice !== null && (
        <div className="animate-appear pointer-events-auto rounded-control bg-surface shadow-overlay">
          <Banner key={notice.at} tone="success" clearAfterMs={clearAfterMs} onClose={onClose}>
            {notice.text}
          </Banner>
        </div>
      )}
    </output>
  );
}
