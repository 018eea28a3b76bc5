/** Privacy masks, recognition zones and motion zones of one camera, drawn on its picture. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { zoneKinds, zoneRoutes, type Zone, type ZoneFields } from '@nazar/contract/zones.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useUnsaved } from '#lib/unsaved.ts';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';
import { ask, useChange } from '#api/query.ts';
import { stillAddress } from '#parts/player/still-address.ts';
import { QueryView } from '#parts/query-view.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { StreamsSection } from '../alignment/streams-section.tsx';
import { add, asFields, broken, change, drawnOf, mayAdd, remove, type Drawn } from './drawing.ts';
import { TurnedNotice } from './turned-notice.tsx';
import { ZoneList } from './zone-list.tsx';
import { ZonePicture } from './zone-picture.tsx';

export interface ZonesDialogProps {
  camera: Camera;
  onSaved: () => void;
  onClose: () => void;
}

export function ZonesDialog({ camera, onSaved, onClose }: ZonesDialogProps) {
  const { t } = useTranslation();
  const zones = useQuery(ask('cameras', zoneRoutes.list, { params: { id: camera.id } }));
  return (
    <Dialog
      open
      title={t('zones.title', { name: camera.name })}
      description={`${t('zones.text')} ${t('zones.cost')}`}
      width="large"
      onClose={onClose}
    >
      <QueryView query={zones} skeleton={<Skeleton className="h-64" />}>
        {({ results }) => (
          <ZonesForm camera={camera} saved={results} onSaved={onSaved} onCancel={onClose} />
        )}
      </QueryView>
    </Dialog>
  );
}

interface ZonesFormProps {
  camera: Camera;
  saved: readonly Zone[];
  onSaved: () => void;
  onCancel: () => void;
}

function ZonesForm({ camera, saved, onSaved, onCancel }: ZonesFormProps) {
  const { t } = useTranslation();
  const [zones, setZones] = useState(() => drawnOf(saved));
  const [chosenKey, setChosenKey] = useState(zones[0]?.key ?? null);
  const [refused, setRefused] = useState<string | null>(null);
  // What is drawn belongs to the picture that was there when it was opened.
  const [rotation] = useState(camera.rotation);
  const save = useChange('cameras', (drawn: ZoneFields[]) =>
    call(zoneRoutes.replace, { params: { id: camera.id }, body: { zones: drawn, rotation } }),
  );
  useUnsaved(() => JSON.stringify(asFields(zones)) !== JSON.stringify(asFields(drawnOf(saved))));
  const chosen = zones.find(({ key }) => key === chosenKey) ?? null;
  const put = (zone: Drawn): void => setZones(change(zones, zone.key, zone));
  const begin = (kind: Drawn['kind']): void => {
    const next = add(zones, kind);
    setZones(next);
    setChosenKey(next.at(-1)!.key);
  };
  const submit = async (): Promise<void> => {
    const [wrong] = broken(zones);
    if (wrong) {
      setChosenKey(wrong.key);
      setRefused(t('zones.broken', { number: zones.indexOf(wrong) + 1 }));
      return;
    }
    try {
      await save.mutateAsync(asFields(zones));
      onSaved();
    } catch (error) {
      setRefused(problemSentence(error));
    }
  };
  return (
    <>
      {camera.health.sub !== null && <StreamsSection camera={camera} zones={zones} />}
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {refused !== null && <Banner tone="error">{refused}</Banner>}
        <TurnedNotice saved={saved} zones={zones} onChange={setZones} />
        <ZonePicture zones={zones} chosen={chosen} onChange={put}>
          <Still camera={camera} />
        </ZonePicture>
        <p className="text-meta text-muted">{t('zones.keys')}</p>
        <div className="flex flex-wrap gap-2">
          {zoneKinds.map((kind) => (
            <Button
              key={kind}
              look="secondary"
              size="small"
              type="button"
              disabled={!mayAdd(zones)}
              onClick={() => begin(kind)}
            >
              {t(`zones.add.${kind}`)}
            </Button>
          ))}
        </div>
        <ZoneList
          zones={zones}
          chosen={chosen}
          onChoose={({ key }) => setChosenKey(key)}
          onChange={put}
          onRemove={({ key }) => setZones(remove(zones, key))}
        />
        <FormActions label={t('zones.save')} busy={save.isPending} onCancel={onCancel} />
      </form>
    </>
  );
}

/** What lies under masks that are saved is black here, too. */
function Still({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const [address] = useState(() => stillAddress(camera.id, Date.now()));
  const isLive = camera.health.state === 'live';
  return (
    <SecureImage
      src={isLive ? address : null}
      alt={t('zones.still', { name: camera.name })}
      className="w-full object-fill!"
      fallback={
        <p className="grid aspect-video place-items-center px-4 text-center text-muted">
          {t('zones.noStill')}
        </p>
      }
    />
  );
}
