import type { Face } from '@nazar/contract/faces.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import type { FaceAction } from '../dialog.ts';
import { PAGE_SIZE } from '../queries.ts';
import { FaceCard } from './face-card.tsx';

const grid = 'grid grid-cols-1 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] sm:gap-4';

export interface FacesShownProps {
  faces: readonly Face[];
  onAction: (action: FaceAction, face: Face) => void;
}

export function FaceGrid({ faces, onAction }: FacesShownProps) {
  const { t } = useTranslation();
  return (
    <ul aria-label={t('faces.title')} className={grid}>
      {faces.map((face) => (
        <FaceCard key={face.id} face={face} onAction={(action) => onAction(action, face)} />
      ))}
    </ul>
  );
}

export function FaceGridSkeleton() {
  return (
    <div className={grid}>
      {Array.from({ length: PAGE_SIZE }, (_, index) => (
        <div key={index} className="card flex overflow-hidden sm:flex-col">
          <Skeleton className="min-h-36 w-28 shrink-0 rounded-none sm:aspect-[4/3] sm:w-full" />
          <div className="grid flex-1 content-start gap-2.5 p-3">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-5 w-1/3" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
