import type { ZoneKind } from '@nazar/contract/zones.ts';

/** How zones are drawn over a picture. */
export const zoneClasses: Record<ZoneKind, string> = {
  privacy: 'fill-black/80 stroke-white',
  recognition: 'fill-sky-500/25 stroke-sky-500',
  motion: 'fill-amber-500/25 stroke-amber-500',
};
