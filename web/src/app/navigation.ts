/** The screens of the sidebar, in the order of NAV-029. A screen that is not built is not here. */
import { Camera, LayoutDashboard, ScanFace, ScrollText, type LucideIcon } from 'lucide-react';

export interface Destination {
  readonly to: '/' | '/cameras' | '/face-database' | '/activity-log';
  readonly label: 'nav.dashboard' | 'nav.cameras' | 'nav.faces' | 'nav.activity';
  readonly icon: LucideIcon;
}

export const mainNavigation: readonly Destination[] = [
  { to: '/', label: 'nav.dashboard', icon: LayoutDashboard },
  { to: '/cameras', label: 'nav.cameras', icon: Camera },
  { to: '/face-database', label: 'nav.faces', icon: ScanFace },
  { to: '/activity-log', label: 'nav.activity', icon: ScrollText },
];
