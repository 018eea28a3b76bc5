/** A camera on loopback that plays a film of people: who is in each scene is known. */

export interface Scene {
  /** Seconds from the beginning of the film. */
  readonly from: number;
  readonly until: number;
  readonly identity: string;
  readonly enrolled: boolean;
}

export interface FilmCamera extends AsyncDisposable {
  readonly url: string;
  /** Length of the film, which is played in a loop, in seconds. */
  readonly lengthS: number;
  readonly cast: readonly Scene[];
  /** Photo to enrol by identity. */
  readonly photos: ReadonlyMap<string, Buffer>;
  /** Plugs it in again, at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What each of these cameras asks for, by Digest. The password has the characters that URLs take apart. */
export const filmCredentials = { username: 'viewer', password: 's3cr:t/p@ss' } as const;
