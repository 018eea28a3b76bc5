/** One panel's question, all its faces: loading, failed in the stated words, stale with its age, or the answer. */
import { useDeferredValue, useState, type ReactNode } from 'react';
import { hasWords, isAskedWrong, Problem, problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { StaleNote, type Refreshed } from '#parts/stale-note.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Failed } from '#ui/empty-state.tsx';
import { Loading, Skeleton } from '#ui/skeleton.tsx';
import { failureOf, dataOf } from './failures.ts';
import type { Panel } from './panels.ts';

/** A question, of one answer or of several pages. */
type Asking<T> = Refreshed & {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isError: boolean;
  readonly errorUpdatedAt: number;
};

export interface PanelViewProps<T> {
  panel: Panel;
  query: Asking<T>;
  /** In place of the panel's own: of a part of it. */
  failedTitle?: string;
  children: (data: T) => ReactNode;
}

export function PanelView<T>({ panel, query, failedTitle, children }: PanelViewProps<T>) {
  const { t } = useTranslation();
  const { error, isError } = query;
  const data = dataOf(query);
  const title = isError ? (failedTitle ?? failureOf(t, panel, error)) : '';
  // Drawing thousands of nodes at once would leave clicks without an answer; the first time it goes on in pieces.
  const isDrawn = useDeferredValue(data !== undefined, false);
  if (data !== undefined && isDrawn) {
    return (
      <div className="grid grid-cols-1 gap-3">
        {isError && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ui text-danger-text">
            <span role="alert">{title}</span>
            <StaleNote queries={[query]} />
          </div>
        )}
        {children(data)}
      </div>
    );
  }
  if (isError && data === undefined)
    return <Failure title={title} query={query} dismissible={panel === 'faces'} />;
  return (
    <Loading>
      <Skeleton className="h-64" />
    </Loading>
  );
}

interface FailureProps {
  title: string;
  query: Asking<unknown>;
  dismissible: boolean;
}

/** What else the server says stands below, unless it says nothing new. */
function Failure({ title, query, dismissible }: FailureProps) {
  const { t } = useTranslation();
  const [closedAt, setClosedAt] = useState(0);
  const { error, errorUpdatedAt, isFetching } = query;
  const retry = (): void => void query.refetch();
  const hasReason = error instanceof Problem && error.status === 400 && hasWords(error);
  const mayRetry = !isAskedWrong(error);
  if (!dismissible) {
    const isPlain = error instanceof Problem;
    return (
      <Failed
        title={title}
        {...(isPlain && { text: problemSentence(error) })}
        busy={isFetching}
        {...(mayRetry && { onRetry: retry })}
      />
    );
  }
  const button = mayRetry && (
    <Button look="secondary" size="small" busy={isFetching} onClick={retry}>
      {t('ui.retry')}
    </Button>
  );
  if (closedAt === errorUpdatedAt)
    return <div className="grid place-content-center py-12">{button}</div>;
  return (
    <Banner
      tone="error"
      {...(mayRetry && { action: button })}
      onClose={() => setClosedAt(errorUpdatedAt)}
    >
      {title}
      {hasReason && <p className="font-normal">{problemSentence(error)}</p>}
    </Banner>
  );
}
