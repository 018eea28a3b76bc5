/** ONVIF cameras of this network: found, asked for their streams, and written into the form that is open. */
import { deviceRoutes, type DeviceStream, type FoundDevice } from '@nazar/contract/devices.ts';
import { useMutation } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { joined } from '#lib/joined.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { FieldsProps } from '../camera-fields.tsx';
import { DeviceStreams } from './device-streams.tsx';

export interface FindCamerasProps extends FieldsProps {
  /** A main stream is chosen; `others` are what else the camera has. */
  onMain?: (stream: DeviceStream, others: readonly DeviceStream[]) => void;
}

export function FindCameras({ form, camera, onMain }: FindCamerasProps) {
  const { t } = useTranslation();
  const resolution = useWatch({ control: form.control, name: 'resolution' });
  const [chosen, setChosen] = useState<FoundDevice | null>(null);
  const search = useMutation({
    mutationFn: () => call(deviceRoutes.discover, {}),
    onMutate: () => setChosen(null),
  });
  const ask = useMutation({
    mutationFn: ({ url }: FoundDevice) => {
      const { username, password } = form.getValues();
      const body = { url, username, password };
      return call(deviceRoutes.describe, {
        body: camera === null ? body : { ...body, camera: camera.id },
      });
    },
  });
  const fill = (name: 'url' | 'sub_url' | 'device_url' | 'ip_address' | 'name', value: string) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: true });
  const use = (device: FoundDevice, stream: DeviceStream, moves: boolean): void => {
    fill('url', stream.url);
    fill('ip_address', device.address);
    fill('device_url', moves ? device.url : '');
    if (form.getValues('name').trim() === '') fill('name', device.name);
  };
  const choose = (device: FoundDevice): void => {
    setChosen(device);
    ask.mutate(device);
  };
  const error = search.error ?? ask.error;
  return (
    <section aria-label={t('find.title')} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="secondary"
          type="button"
          busy={search.isPending}
          onClick={() => search.mutate()}
        >
          <Search aria-hidden />
          {t('find.title')}
        </Button>
        {search.isPending && (
          <output className="text-meta text-muted">{t('find.searching')}</output>
        )}
      </div>
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      {search.data?.results.length === 0 && <Banner tone="info">{t('find.nobody')}</Banner>}
      {search.data !== undefined && search.data.results.length > 0 && (
        <ul aria-label={t('find.found')} className="card divide-y divide-line">
          {search.data.results.map((device) => (
            <li key={device.url} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3 py-2.5">
              <DeviceLine device={device} busy={ask.isPending} onChoose={choose} />
              {chosen?.url === device.url && ask.data !== undefined && (
                <DeviceStreams
                  description={ask.data}
                  resolution={resolution ?? ''}
                  onMain={(stream) => {
                    use(device, stream, ask.data.moves);
                    onMain?.(stream, ask.data.streams);
                  }}
                  onSub={(stream) => fill('sub_url', stream.url)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface DeviceLineProps {
  device: FoundDevice;
  busy: boolean;
  onChoose: (device: FoundDevice) => void;
}

/** What a device calls itself is its own text: shown as it is, believed in nothing. */
function DeviceLine({ device, busy, onChoose }: DeviceLineProps) {
  const { t } = useTranslation();
  const { name, hardware, location, address } = device;
  const more = joined([hardware, location, address]);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="truncate font-medium">{name === '' ? address : name}</p>
        <p className="truncate text-meta text-muted">{more}</p>
      </div>
      <Button
        look="secondary"
        size="small"
        type="button"
        disabled={busy}
        aria-label={t('find.askNamed', { name: name === '' ? address : name })}
        onClick={() => onChoose(device)}
      >
        {t('find.ask')}
      </Button>
    </div>
  );
}
