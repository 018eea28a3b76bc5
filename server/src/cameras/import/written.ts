/** A camera of the file: the sources of each of its streams, the first usable of which is taken. */
export interface Written {
  readonly key: string;
  readonly name: string;
  readonly main: readonly string[];
  /** Empty where there is no second stream. */
  readonly sub: readonly string[];
  readonly isEnabled: boolean;
  /** Names of restreams that the file does not have. */
  readonly unknown: readonly string[];
}
