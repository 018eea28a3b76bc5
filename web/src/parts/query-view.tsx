/** One query, all its faces: still loading, failed, not allowed, or the data (stale data stays in sight). */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAskedWrong, Problem, problemSentence } from '#api/problem.ts';
import { Failed, NotAllowed } from '#ui/empty-state.tsx';
import { Loading } from '#ui/skeleton.tsx';

export interface QueryViewProps<T> {
  query: UseQueryResult<T>;
  /** Skeletons in the geometry of what comes. */
  skeleton: ReactNode;
  /** Says what failed; default: "This could not be loaded". */
  failedTitle?: string;
  children: (data: T) => ReactNode;
}

/** Nothing is known, and nothing is asked for: what covers it is in sight. */
const isUnasked = ({ isPending, fetchStatus }: UseQueryResult): boolean =>
  isPending && fetchStatus === 'idle';

/** For a query that rests while something covers it: there is nothing to wait for, so no skeleton moves unseen. */
export function CoveredQueryView<T>(props: QueryViewProps<T>) {
  return isUnasked(props.query) ? null : <QueryView {...props} />;
}

export function QueryView<T>({ query, skeleton, failedTitle, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    if (query.error instanceof Problem && query.error.status === 403) return <NotAllowed />;
    return (
      <Failed
        {...(failedTitle !== undefined && { title: failedTitle })}
        text={problemSentence(query.error)}
        busy={query.isFetching}
        {...(!isAskedWrong(query.error) && { onRetry: () => void query.refetch() })}
      />
    );
  }
  return <Loading>{skeleton}</Loading>;
}
