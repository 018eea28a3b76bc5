import type { Face } from '@nazar/contract/faces.ts';
import { TriangleAlert, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { PersonAvatar } from '#parts/person-avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { DataTable, type Column } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import { CategoryBadge } from '../category-badge.tsx';
import { PAGE_SIZE } from '../queries.ts';
import { fullName, imageCount, useNotRecognized } from '../recognition.ts';
import { FaceMenu } from './face-actions.tsx';
import { InactiveBadge } from './face-badges.tsx';
import type { FacesShownProps } from './face-grid.tsx';

/** What is too long for its column is whole in the details, and as a title. */
function Short({ children }: { children: string }) {
  return (
    <span className="block max-w-32 truncate text-muted" title={children}>
      {children}
    </span>
  );
}

interface SignProps {
  sentence: string;
  icon: ReactNode;
  onAction: () => void;
}

/** What a card says in a line; the details say it too. */
function Sign({ sentence, icon, onAction }: SignProps) {
  return (
    <Tooltip text={sentence}>
      <button
        type="button"
        aria-label={sentence}
        className="grid size-6 shrink-0 place-items-center rounded-full text-unrecognized-text [&_svg]:size-4"
        onClick={onAction}
      >
        {icon}
      </button>
    </Tooltip>
  );
}

function Name({ face, onAction }: { face: Face; onAction: () => void }) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const reason = useNotRecognized()(face);
  const [similar] = face.similar;
  return (
    <span className="flex max-w-40 items-center gap-1.5">
      <button
        type="button"
        title={fullName(face)}
        className="min-w-0 truncate text-left font-medium hover:underline"
        onClick={onAction}
      >
        {fullName(face)}
      </button>
      {face.is_demo && <Badge tone="info">{t('faces.demo')}</Badge>}
      {reason !== null && (
        <Sign sentence={reason} icon={<TriangleAlert aria-hidden />} onAction={onAction} />
      )}
      {similar && (
        <Sign
          sentence={t('photo.similar', {
            name: similar.name,
            percent: formatPercent(similar.probability),
          })}
          icon={<Users aria-hidden />}
          onAction={onAction}
        />
      )}
    </span>
  );
}

function useColumns(onAction: FacesShownProps['onAction']): readonly Column<Face>[] {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  return [
    {
      key: 'image',
      header: t('faces.column.image'),
      hideHeader: true,
      cell: (face) => <PersonAvatar person={face} />,
      className: 'w-12 pr-0',
    },
    {
      key: 'name',
      header: t('faces.column.name'),
      cell: (face) => <Name face={face} onAction={() => onAction('details', face)} />,
    },
    {
      key: 'category',
      header: t('person.category'),
      cell: (face) => <CategoryBadge face={face} />,
    },
    {
      key: 'position',
      header: t('person.position'),
      cell: (face) => <Short>{face.position}</Short>,
      room: 'medium',
    },
    {
      key: 'createdBy',
      header: t('person.createdBy'),
      cell: (face) => <Short>{face.created_by_name}</Short>,
      room: 'wide',
    },
    {
      key: 'email',
      header: t('person.email'),
      cell: (face) => <Short>{face.email}</Short>,
      room: 'medium',
    },
    {
      key: 'phone',
      header: t('person.phone'),
      cell: (face) => <Short>{face.phone}</Short>,
      room: 'wide',
    },
    {
      key: 'images',
      header: t('faces.column.images'),
      cell: (face) => formatNumber(imageCount(face)),
      numeric: true,
    },
    {
      key: 'status',
      header: t('faces.status.label'),
      cell: (face) =>
        face.is_active ? <Badge tone="success">{t('faces.active')}</Badge> : <InactiveBadge />,
    },
    {
      key: 'actions',
      header: t('faces.column.actions'),
      hideHeader: true,
      cell: (face) => <FaceMenu face={face} onAction={(action) => onAction(action, face)} />,
      className: 'w-12',
    },
  ];
}

/** People as a table. */
export function FaceTable({ faces, onAction }: FacesShownProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('faces.title')}
      columns={useColumns(onAction)}
      rows={faces}
      rowKey={(face) => face.id}
    />
  );
}

export function FaceTableSkeleton() {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      <div className="h-9 bg-surface-2" />
      {Array.from({ length: PAGE_SIZE }, (_, index) => (
        <div key={index} className="flex h-[52px] items-center gap-4 px-3">
          <Skeleton className="size-9 rounded-full" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-5 w-24 rounded-full" />
          <Skeleton className="ml-auto h-4 w-48" />
        </div>
      ))}
    </div>
  );
}
