/** The camera that is chosen in Camera Analytics. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import { leadTo } from '../figures.ts';
import type { PanelProps } from '../panel-context.ts';
import { PanelView } from '../panel-view.tsx';
import { cameraDetailsQuery } from '../queries.ts';
import { RecentVisits } from './recent-visits.tsx';

export interface CameraFactsProps extends Pick<PanelProps, 'asked' | 'onChange'> {
  camera: string;
}

export function CameraFacts({ asked, camera, onChange }: CameraFactsProps) {
  const { t } = useTranslation();
  const { formatNumber, formatPercent, formatTime } = useFormat();
  const query = useQuery(cameraDetailsQuery(asked, camera));
  const time = (at: string | null): string => (at === null ? '–' : formatTime(at));
  return (
    <PanelView panel="cameras" query={query}>
      {(details) => (
        <>
          <h3 className="text-body font-semibold [overflow-wrap:anywhere]">
            {details.camera_name}
          </h3>
          <Facts
            facts={[
              { name: t('panels.firstDetection'), value: time(details.first_detection) },
              { name: t('panels.lastDetection'), value: time(details.last_detection) },
              {
                name: t('panels.uniquePersons'),
                value: details.unique_persons === null ? '–' : formatNumber(details.unique_persons),
              },
              {
                name: t('panels.rate'),
                value:
                  details.total_detections === 0
                    ? t('panels.notApplicable')
                    : formatPercent(details.recognized_count / details.total_detections, 1),
              },
            ]}
          />
          {details.recent_logs.length > 0 && (
            <>
              <RecentVisits
                visits={details.recent_logs}
                shows="person"
                onOpen={(visit) => onChange({ visit })}
              />
              <Button
                look="link"
                className="justify-self-start"
                onClick={() => onChange(leadTo('cameras', 'camera', { camera }))}
              >
                {t('panels.allVisits')}
              </Button>
            </>
          )}
        </>
      )}
    </PanelView>
  );
}
