/** Which filters each panel obeys. */
import type { Panel } from './panels.ts';

export const panelFilters = [
  'period',
  'search',
  'type',
  'camera',
  'person',
  'known',
  'level',
  'source',
  'user',
] as const;
export type PanelFilter = (typeof panelFilters)[number];

const obeyed: Readonly<Record<Panel, readonly PanelFilter[]>> = {
  overview: ['period', 'search', 'type', 'user'],
  faces: ['period', 'camera', 'person', 'user'],
  heatmap: ['period', 'camera', 'person', 'user'],
  timeline: ['period', 'camera', 'person', 'known', 'user'],
  daily: ['period', 'camera', 'person', 'user'],
  people: ['period', 'camera', 'user'],
  cameras: ['period', 'user'],
  system: ['period', 'search', 'level', 'source', 'user'],
};

/** Who may choose a user sees that filter. */
export const filtersOf = (panel: Panel, mayChooseUser: boolean): readonly PanelFilter[] =>
  obeyed[panel].filter((filter) => mayChooseUser || filter !== 'user');

/** Where figures stand beside those of the period before. */
export const hasComparison = (panel: Panel): boolean => panel === 'overview' || panel === 'faces';
