import { activityRoutes } from '@nazar/contract/activity.ts';
import type { User } from '@nazar/contract/accounts.ts';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { QueryView } from '#parts/query-view.tsx';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const SHOWN = '3';

/** What this user did last; an administrator's card is of their own deeds, too. */
export function OwnActivity({ user }: { user: User }) {
  const { t } = useTranslation();
  const entries = useQuery(
    ask('account', activityRoutes.list, { query: { user: user.id, limit: SHOWN } }),
  );
  return (
    <Card
      title={t('profile.activity')}
      aside={
        <Link
          to="/activity-log"
          search={{ user: user.id }}
          className="font-medium text-primary-text hover:underline"
        >
          {t('profile.viewAll')}
        </Link>
      }
    >
      <QueryView query={entries} skeleton={<Skeleton className="h-40" />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className="text-ui text-muted">{t('profile.noActivity')}</p>
          ) : (
            <RowList label={t('profile.activity')}>
              {results.map(({ id, description, timestamp }) => (
                <Row key={id} title={description} text={<TimeAgo at={timestamp} />} />
              ))}
            </RowList>
          )
        }
      </QueryView>
    </Card>
  );
}
