/**
 * ONVIF cameras: found in this network, or at the address that is typed; asked for their streams, and written into the
 * form that is open.
 */
import { isAddressFault, readAddress } from '@nazar/contract/camera-address.ts';
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

/** The device service of a host, where ONVIF has it (Core, 5.1.1): what no search finds in another network. */
function deviceAt(typed: string, url: string): FoundDevice | null {
  const bare = typed.trim();
  const isBareV6 = bare.includes(':') && !bare.startsWith('[');
  const stream = bare === '' ? url : `http://${isBareV6 ? `[${bare}]` : bare}`;
  const read = readAddress(stream);
  if (isAddressFault(read)) return null;
  const { hostname } = new URL(read.url);
  const address = hostname.replace(/^\[|\]$/g, '');
  const service = `http://${hostname}/onvif/device_service`;
  return { name: '', hardware: '', location: '', address, url: service };
}

export function FindCameras({ form, camera, onMain }: FindCamerasProps) {
  const { t } = useTranslation();
  const [resolution, url = '', typed = ''] = useWatch({
    control: form.control,
    name: ['resolution', 'url', 'ip_address'],
  });
  const known = deviceAt(typed, url);
  const [chosen, setChosen] = useState<FoundDevice | null>(null);
  /** What was asked by its address alone. */
  const [asked, setAsked] = useState<FoundDevice | null>(null);
  const search = useMutation({
    mutationFn: () => call(deviceRoutes.discover, {}),
    onMutate: () => {
      setChosen(null);
      setAsked(null);
    },
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
  const found = search.data?.results ?? [];
  const devices = asked === null ? found : [asked];
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
        {known !== null && (
          <Button
            look="ghost"
            type="button"
            disabled={ask.isPending || search.isPending}
            onClick={() => {
              search.reset();
              setAsked(known);
              choose(known);
            }}
          >
            {t('find.askAddress', { address: known.address })}
          </Button>
        )}
        {search.isPending && (
          <output className="text-meta text-muted">{t('find.searching')}</output>
        )}
      </div>
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      {search.data?.results.length === 0 && <Banner tone="info">{t('find.nobody')}</Banner>}
      {devices.length > 0 && (
        <ul aria-label={t('find.found')} className="card divide-y divide-line">
          {devices.map((device) => (
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
  const more = joined([hardware, location, name === '' ? '' : address]);
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
