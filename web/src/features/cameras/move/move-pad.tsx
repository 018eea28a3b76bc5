/** Turns and zooms a camera that can be moved, and sends it to the places it knows. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { movementRoutes } from '@nazar/contract/movements.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, ZoomIn, ZoomOut } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { Banner } from '#ui/banner.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Select } from '#ui/select.tsx';
import { useMoving, type Direction } from './use-moving.ts';

const still: Direction = { x: 0, y: 0, zoom: 0 };
const directions = {
  left: { ...still, x: -0.5 },
  up: { ...still, y: 0.5 },
  down: { ...still, y: -0.5 },
  right: { ...still, x: 0.5 },
  nearer: { ...still, zoom: 0.5 },
  farther: { ...still, zoom: -0.5 },
} as const;
const icons: Record<keyof typeof directions, ReactNode> = {
  left: <ArrowLeft aria-hidden />,
  up: <ArrowUp aria-hidden />,
  down: <ArrowDown aria-hidden />,
  right: <ArrowRight aria-hidden />,
  nearer: <ZoomIn aria-hidden />,
  farther: <ZoomOut aria-hidden />,
};
const order = ['left', 'up', 'down', 'right', 'nearer', 'farther'] as const;

const isPress = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

export function MovePad({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const { id } = camera;
  const can = useQuery(ask('cameras', movementRoutes.read, { params: { id } }));
  const { begin, stop, goTo, failed, forget } = useMoving(camera);
  if (can.data === undefined) return null;
  const { outcome, moves, presets } = can.data;
  if (outcome !== 'found') {
    return <p className="text-meta text-muted">{t(`find.outcomes.${outcome}`)}</p>;
  }
  if (!moves) return null;
  return (
    <section aria-label={t('move.title')} className="flex flex-wrap items-center gap-1">
      {order.map((name) => (
        <IconButton
          key={name}
          label={t(`move.${name}`)}
          onPointerDown={() => begin(directions[name])}
          onPointerUp={stop}
          onPointerLeave={stop}
          onPointerCancel={stop}
          onKeyDown={(event) => isPress(event) && !event.repeat && begin(directions[name])}
          onKeyUp={(event) => isPress(event) && stop()}
          onBlur={stop}
        >
          {icons[name]}
        </IconButton>
      ))}
      {presets.length > 0 && (
        <Select
          aria-label={t('move.presets')}
          value=""
          onChange={({ target }) => target.value !== '' && void goTo(target.value)}
          options={[
            { value: '', label: t('move.presets') },
            ...presets.map(({ token, name }) => ({ value: token, label: name })),
          ]}
        />
      )}
      {failed !== null && (
        <Banner tone="error" onClose={forget}>
          {failed}
        </Banner>
      )}
    </section>
  );
}
