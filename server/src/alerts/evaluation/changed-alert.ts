/** What a pass says of an alert once it is committed. */
export interface ChangedAlert {
  readonly alertId: string;
  /** Null: it is about no camera. */
  readonly cameraId: string | null;
  readonly kind: 'raised' | 'updated';
}
