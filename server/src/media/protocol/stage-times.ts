/** What a media host spent on a camera since its last report, by stage. */

/** The stages that a media host does, or asks a vision host for. Embedding is asked for by the server. */
const hostStages = ['decode', 'detect', 'record'] as const;
export type HostStage = (typeof hostStages)[number];

/** The analysis for faces while something moved: in a still picture fewer frames are due. */
export interface AnalysisCounts {
  /** For how long something moved. */
  readonly movingMs: number;
  /** Frames that came meanwhile, those that were analyzed, and those that no vision host answered. */
  readonly offered: number;
  readonly analyzed: number;
  readonly failed: number;
}

export interface StageTimes {
  /** How long it was counted. */
  readonly overMs: number;
  readonly spentMs: Readonly<Record<HostStage, number>>;
  readonly analysis: AnalysisCounts;
}
