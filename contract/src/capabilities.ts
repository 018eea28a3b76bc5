/**
 * What may be granted to a user who neither made a camera nor administers all. `live` is the
 * basis of every grant: a user who may use a camera at all sees that it exists, its picture and its visits.
 * `manage` shows how it is reached; changing a camera stays with administrators. `unmasked` shows what
 * privacy masks hide; `control` moves a camera that can be moved.
 */
export const capabilities = [
  'live',
  'recordings',
  'detect',
  'manage',
  'unmasked',
  'control',
  'people',
] as const;
export type Capability = (typeof capabilities)[number];
