/** The person whom the address names, read by their id: another page links to them. */
import type { Face } from '@nazar/contract/faces.ts';
import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { faceQuery } from './queries.ts';
import { strangerQuery } from './unknown/strangers.ts';

export interface LinkedProps<T> {
  id: string;
  onClose: () => void;
  /** Their dialog. */
  children: (linked: T) => ReactNode;
}

/**
 * A query reports only what was read of it. That it failed is read in the window, whose code may come after the
 * answer.
 */
const notifiesAlways = { notifyOnChangeProps: 'all' } as const;

export function LinkedPerson({ id, ...props }: LinkedProps<Face>) {
  return <Linked query={useQuery({ ...faceQuery(id), ...notifiesAlways })} {...props} />;
}

export function LinkedStranger({ id, ...props }: LinkedProps<UnknownFace>) {
  return <Linked query={useQuery({ ...strangerQuery(id), ...notifiesAlways })} {...props} />;
}

function Linked<T>({
  query,
  onClose,
  children,
}: Omit<LinkedProps<T>, 'id'> & { query: UseQueryResult<T> }) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  return (
    <Dialog open width="large" title={t('panels.details')} onClose={onClose}>
      <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
        {() => null}
      </QueryView>
    </Dialog>
  );
}
