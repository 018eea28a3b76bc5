/** What a media host spent on a camera since its last report, by stage. */

/** The stages that a media host does, or asks a vision host for. Embedding is asked for by the server. */
export const hostStages = ['decode', 'detect', 'record'] as const;
export type HostStage = (typeof hostStages)[number];

export interface StageTimes {
  /** How long it was counted. */
  readonly overMs: number;
  readonly spentMs: Readonly<Record<HostStage, number>>;
}
