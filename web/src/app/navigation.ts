/**
 * The screens of the sidebar: the main ones in the order that the documents state, what belongs to one of them below
 * it, and the System group. A screen that is not built is not here.
 */
import {
  Camera,
  Film,
  LayoutDashboard,
  LayoutGrid,
  ScanFace,
  ScrollText,
  Settings,
  Siren,
  type LucideIcon,
} from 'lucide-react';
import { settingsOf } from '#api/rights.ts';
import type { User } from '@nazar/contract/accounts.ts';

export interface Destination {
  readonly to:
    | '/'
    | '/cameras'
    | '/recordings'
    | '/face-database'
    | '/activity-log'
    | '/alerts'
    | '/settings'
    | '/settings/users'
    | '/settings/notifications';
  /** Its view of that page; absent: the page as it opens. */
  readonly view?: 'wall';
  readonly label:
    | 'nav.dashboard'
    | 'nav.cameras'
    | 'recordings.title'
    | 'cameras.wall'
    | 'nav.faces'
    | 'nav.activity'
    | 'alerts.title'
    | 'settings.title';
  readonly icon: LucideIcon;
  /** It belongs to the one above it. */
  readonly isBelow?: true;
}

export const mainNavigation: readonly Destination[] = [
  { to: '/', label: 'nav.dashboard', icon: LayoutDashboard },
  { to: '/cameras', label: 'nav.cameras', icon: Camera },
  { to: '/recordings', label: 'recordings.title', icon: Film, isBelow: true },
  { to: '/cameras', view: 'wall', label: 'cameras.wall', icon: LayoutGrid, isBelow: true },
  { to: '/face-database', label: 'nav.faces', icon: ScanFace },
  { to: '/activity-log', label: 'nav.activity', icon: ScrollText },
];

const alerts: Destination = { to: '/alerts', label: 'alerts.title', icon: Siren };

/** What this user may open of the System group; Settings begin with the first of their sections that is theirs. */
export function systemNavigation(user: User): readonly Destination[] {
  return [alerts, { to: settingsOf(user), label: 'settings.title', icon: Settings }];
}

/** Whether a page is the one that an entry leads to, or lies below it. */
export function isAt(
  { to, view }: Destination,
  { pathname, search }: { readonly pathname: string; readonly search: { readonly view?: unknown } },
): boolean {
  const isWall = pathname.startsWith('/cameras') && search.view === 'wall';
  if (to === '/') return pathname === '/';
  if (to === '/cameras' && isWall !== (view === 'wall')) return false;
  const top = to.startsWith('/settings') ? '/settings' : to;
  return pathname === top || pathname.startsWith(`${top}/`);
}
