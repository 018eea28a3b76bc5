/**
 * Tiles moved by keys and by dragging. A tile that is picked up follows the arrows or the pointer at once; Enter, Space
 * or letting go leaves it there, a press on another tile puts it in that place, Escape brings it back. What happens is said
 * for screen readers. Own pointer events, no library: with positions in a list there is nothing else to drag.
 */
import type { WallTile } from '@nazar/contract/wall-layouts.ts';
import { useCallback, useEffect, useEffectEvent, useState, type PointerEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { moved, neighbour, tileAt, type Direction } from './geometry.ts';

/** A hand trembles: only from here on a press is a drag. CSS pixels. */
const DRAG_FROM = 6;

interface Held {
  readonly cameraId: string;
  /** The order before it was picked up. */
  readonly before: readonly WallTile[];
  /** Where the pointer took it; null: picked up by a key. */
  readonly grabbedAt: { readonly x: number; readonly y: number } | null;
}

export interface ArrangingOptions {
  readonly tiles: readonly WallTile[];
  readonly nameOf: (cameraId: string) => string;
  readonly boxes: () => readonly DOMRect[];
  readonly onOrder: (tiles: WallTile[]) => void;
}

export function useArranging({ tiles, nameOf, boxes, onOrder }: ArrangingOptions) {
  const { t } = useTranslation();
  const [held, setHeld] = useState<Held | null>(null);
  const [said, setSaid] = useState('');
  const placeOf = (id: string): number => tiles.findIndex((tile) => tile.camera_id === id);
  const say = (key: 'picked' | 'moved' | 'dropped', id: string, place: number): void =>
    setSaid(t(`wall.said.${key}`, { name: nameOf(id), place: place + 1, of: tiles.length }));

  const move = (id: string, to: number): void => {
    const from = placeOf(id);
    if (to === from || to < 0 || from < 0) return;
    onOrder(moved(tiles, from, to));
    say('moved', id, to);
  };
  const drop = (): void => {
    if (held === null) return;
    setHeld(null);
    say('dropped', held.cameraId, placeOf(held.cameraId));
  };
  const cancel = (): void => {
    if (held === null) return;
    setHeld(null);
    onOrder([...held.before]);
    setSaid(t('wall.said.cancelled', { name: nameOf(held.cameraId) }));
  };
  const pick = (cameraId: string): void => {
    // A click follows the end of a drag, too.
    if (held !== null && (held.cameraId === cameraId || held.grabbedAt !== null)) return drop();
    if (held !== null) {
      const to = placeOf(cameraId);
      move(held.cameraId, to);
      setHeld(null);
      return say('dropped', held.cameraId, to);
    }
    setHeld({ cameraId, before: tiles, grabbedAt: null });
    say('picked', cameraId, placeOf(cameraId));
  };

  const [grabbed, setGrabbed] = useState<Held | null>(null);
  const grab = useCallback(
    (cameraId: string, event: PointerEvent): void => {
      const { clientX: x, clientY: y, button, pointerType } = event;
      // A finger scrolls: it taps a tile, and then the place to put it.
      if (button === 0 && pointerType !== 'touch')
        setGrabbed({ cameraId, before: tiles, grabbedAt: { x, y } });
    },
    [tiles],
  );
  const drag = useEffectEvent(({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
    if (grabbed === null || grabbed.grabbedAt === null) return;
    const { cameraId, grabbedAt } = grabbed;
    if (held === null && Math.hypot(x - grabbedAt.x, y - grabbedAt.y) < DRAG_FROM) return;
    if (held === null) setHeld(grabbed);
    move(cameraId, tileAt(boxes(), x, y));
  });
  const letGo = useEffectEvent(() => {
    setGrabbed(null);
    // The click that follows ends it; without one (the pointer is elsewhere) this does.
    if (held !== null && held.grabbedAt !== null) setTimeout(() => drop());
  });
  const isGrabbed = grabbed !== null;
  useEffect(() => {
    if (!isGrabbed) return undefined;
    const onMove = (event: globalThis.PointerEvent): void => drag(event);
    const onEnd = (): void => letGo();
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onEnd);
    window.addEventListener('pointercancel', onEnd);
    return () => {
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onEnd);
      window.removeEventListener('pointercancel', onEnd);
    };
  }, [isGrabbed]);

  return {
    held: held?.cameraId ?? null,
    /** What a screen reader announces. */
    said,
    pick,
    grab,
    cancel,
    /** Whether the key moved a tile that is picked up. */
    moveBy: (key: Direction): boolean => {
      if (held === null) return false;
      move(held.cameraId, neighbour(boxes(), placeOf(held.cameraId), key));
      return true;
    },
  };
}
