import { ownAccountRoutes, type OwnSession } from '@nazar/contract/own-account.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { ask, useChange } from '#api/query.ts';
import { useFormat } from '#lib/format.ts';
import { deviceOf } from '#parts/device.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Badge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** Which devices are signed in, and the way to put one out. */
export function SessionList({ onEnded }: { onEnded: () => void }) {
  const { t } = useTranslation();
  const sessions = useQuery(ask('account', ownAccountRoutes.sessions, {}));
  const end = useChange('account', (id: string) =>
    call(ownAccountRoutes.endSession, { params: { id } }),
  );
  return (
    <>
      <p className="text-ui text-muted">{t('security.sessionsText')}</p>
      {end.isError && <Banner tone="error">{problemSentence(end.error)}</Banner>}
      <QueryView query={sessions} skeleton={<Skeleton className="mt-3 h-14" />}>
        {({ results }) => (
          <RowList label={t('security.sessions')}>
            {results.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                busy={end.isPending && end.variables === session.id}
                onEnd={() => end.mutate(session.id, { onSuccess: onEnded })}
              />
            ))}
          </RowList>
        )}
      </QueryView>
    </>
  );
}

interface SessionRowProps {
  session: OwnSession;
  busy: boolean;
  onEnd: () => void;
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const kind = session.is_browser ? t('security.browser') : t('security.script');
  const device = deviceOf(session.user_agent) ?? kind;
  return (
    <Row
      title={device}
      text={t('security.since', { ip: session.ip, time: formatTime(session.created_at) })}
      aside={
        session.is_current ? (
          <Badge tone="success">{t('security.thisSession')}</Badge>
        ) : (
          <Button
            look="secondary"
            size="small"
            busy={busy}
            aria-label={t('security.endOf', { device })}
            onClick={onEnd}
          >
            {t('security.end')}
          </Button>
        )
      }
    />
  );
}
