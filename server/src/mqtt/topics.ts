/** Names of topics below the prefix. Ids stand in them, never what users call things. Pure. */
export interface CameraTopics {
  readonly state: string;
  readonly recording: string;
  readonly alert: string;
}

export class Topics {
  readonly status: string;
  readonly mode: string;
  readonly setMode: string;
  readonly alert: string;
  readonly openAlerts: string;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.status = `${prefix}/status`;
    this.mode = `${prefix}/house/mode`;
    this.setMode = `${prefix}/house/mode/set`;
    this.alert = `${prefix}/alert`;
    this.openAlerts = `${prefix}/alerts/open`;
  }

  ofCamera(id: string): CameraTopics {
    const camera = `${this.#prefix}/camera/${id}`;
    return {
      state: `${camera}/state`,
      recording: `${camera}/recording`,
      alert: `${camera}/alert`,
    };
  }

  lastSeen(personId: string): string {
    return `${this.#prefix}/person/${personId}/last_seen`;
  }
}

/** Where descriptions for Home Assistant stand; `node`: by which it knows this installation. */
export interface Place {
  readonly topics: Topics;
  readonly node: string;
  readonly version: string;
}

/** The values of `status`. */
export const online = 'online';
export const offline = 'offline';
