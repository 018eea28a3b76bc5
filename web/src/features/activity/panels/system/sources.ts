/** What the dialog of the log levels asks the server. */
import { systemLogRoutes, type SystemLogLevel } from '@nazar/contract/system-logs.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';

/** Debug ends by itself: while it lasts, the levels are asked for again. */
const ASK_DURING_DEBUG_MS = 30_000;

export const sourcesQuery = () => ({
  ...ask('activity', systemLogRoutes.sources, {}),
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: Sources | undefined } }): number | false =>
    state.data?.results.some(({ debug_until: until }) => until !== null) === true
      ? ASK_DURING_DEBUG_MS
      : false,
});

type Sources = Awaited<ReturnType<typeof call<typeof systemLogRoutes.sources>>>;

/** One after the other: arrow keys choose several levels in a row, and the last one holds. */
export function useChooseLevel(source: string) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `level-of-${source}` },
    mutationFn: (level: SystemLogLevel) =>
      call(systemLogRoutes.chooseLevel, { body: { source, level } }),
    onSettled: () => refresh(client, 'activity'),
  });
}
