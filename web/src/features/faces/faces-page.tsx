import { faceRoutes } from '@nazar/contract/faces.ts';
import { useQuery } from '@tanstack/react-query';
import { ScanFace } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ask } from '#api/query.ts';
import { initials } from '#lib/initials.ts';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { ColorBadge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Row, RowList } from '#ui/data-list.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export function FacesPage() {
  const { t } = useTranslation();
  const faces = useQuery(ask('faces', faceRoutes.list, {}));
  return (
    <Page
      title={t('faces.title')}
      subtitle={faces.data && t('faces.count', { count: faces.data.count })}
    >
      <QueryView query={faces} skeleton={<Skeleton className="h-64 rounded-card" />}>
        {({ results }) => (
          <Card>
            {results.length === 0 ? (
              <EmptyState
                icon={<ScanFace />}
                title={t('faces.empty')}
                text={t('faces.emptyText')}
              />
            ) : (
              <RowList label={t('faces.title')}>
                {results.map((face) => (
                  <Row
                    key={face.id}
                    lead={
                      <SecureImage
                        src={face.image}
                        alt=""
                        className="size-9 rounded-full"
                        fallback={<Avatar initials={initials(face.first_name, face.last_name)} />}
                      />
                    }
                    title={`${face.first_name} ${face.last_name}`}
                    text={face.position}
                    aside={
                      <ColorBadge color={face.category_color}>{face.category_name}</ColorBadge>
                    }
                  />
                ))}
              </RowList>
            )}
          </Card>
        )}
      </QueryView>
    </Page>
  );
}
