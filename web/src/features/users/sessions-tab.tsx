import type { UserDetail, UserSession } from '@nazar/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { deviceOf } from '#parts/device.ts';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { fullName, sessionsQuery, useEndSessions } from './queries.ts';

interface SessionsTabProps {
  user: UserDetail;
  onDone: (sentence: string) => void;
}

/** Administrators end any session. */
export function SessionsTab({ user, onDone }: SessionsTabProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const sessions = useQuery(sessionsQuery(user.id));
  const end = useEndSessions(user.id);
  const name = fullName(user);
  const device = ({ user_agent, is_browser }: UserSession): string =>
    deviceOf(user_agent) ?? (is_browser ? t('security.browser') : t('security.script'));
  const finish = (id: string | null): void =>
    end.mutate(id, {
      onSuccess: () => onDone(id === null ? t('users.allEnded', { name }) : t('security.ended')),
    });
  return (
    <>
      {end.isError && <Banner tone="error">{problemSentence(end.error)}</Banner>}
      <QueryView query={sessions} skeleton={<Skeleton className="h-14" />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="py-4 text-ui text-muted">{t('users.noSessions')}</p>
          ) : (
            <>
              <RowList label={t('users.sessions')}>
                {results.map((session) => (
                  <Row
                    key={session.id}
                    title={device(session)}
                    text={t('security.since', {
                      ip: session.ip,
                      time: formatTime(session.created_at),
                    })}
                    aside={
                      <Button
                        look="secondary"
                        size="small"
                        busy={end.isPending && end.variables === session.id}
                        aria-label={t('security.endOf', { device: device(session) })}
                        onClick={() => finish(session.id)}
                      >
                        {t('security.end')}
                      </Button>
                    }
                  />
                ))}
              </RowList>
              <Button
                look="danger"
                className="mt-4"
                busy={end.isPending && end.variables === null}
                onClick={() => finish(null)}
              >
                {t('users.endAll')}
              </Button>
            </>
          )
        }
      </QueryView>
    </>
  );
}
