/**
 * Beside the zones of a camera with a sub-stream: whether it is known where they are on the sub-stream's picture, and
 * the way to compare both pictures.
 */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { Drawn } from '../zones/drawing.ts';
import { AlignmentWords } from './alignment-words.tsx';
import type { CompareStreamsProps } from './compare-streams.tsx';
import { useAlignment } from './queries.ts';

/** Its code comes when two pictures are compared. */
const { Component: CompareStreams } = onDemand<CompareStreamsProps>(
  async () => (await import('./compare-streams.tsx')).CompareStreams,
);

export interface StreamsSectionProps {
  camera: Camera;
  /** As they are drawn now, saved or not. */
  zones: readonly Drawn[];
}

export function StreamsSection({ camera, zones }: StreamsSectionProps) {
  const { t } = useTranslation();
  const alignment = useAlignment(camera.id);
  const [isComparing, setComparing] = useState(false);
  return (
    <section
      aria-labelledby="streams-title"
      className="mb-4 grid gap-2 rounded-control border border-line p-3"
    >
      <h3 id="streams-title" className="text-ui font-semibold">
        {t('alignment.title')}
      </h3>
      <QueryView query={alignment} skeleton={<Skeleton className="h-16" />}>
        {(known) => (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <AlignmentWords alignment={known} />
              {known.state !== 'none' && (
                <Button look="secondary" size="small" onClick={() => setComparing(true)}>
                  {t('alignment.compare')}
                </Button>
              )}
            </div>
            {isComparing && (
              <CompareStreams
                camera={camera}
                zones={zones}
                alignment={known}
                onClose={() => setComparing(false)}
              />
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}
