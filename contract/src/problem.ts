/**
 * Every refusal the product knows, with the HTTP status it travels as. The sentence for each code, in
 * four languages, stands in `i18n/<language>/problem.json`; a law keeps both lists equal.
 */
export const problems = {
  // Requests
  bad_request: 400,
  invalid_body: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  foreign_origin: 403,
  foreign_host: 421,
  not_found: 404,
  method_not_allowed: 405,
  internal: 500,
  unavailable: 503,
  too_many_requests: 429,
  // Sessions and accounts
  not_signed_in: 401,
  invalid_credentials: 401,
  invalid_refresh: 401,
  forbidden: 403,
  account_disabled: 403,
  setup_required: 503,
  setup_code_invalid: 403,
  setup_done: 410,
  email_taken: 409,
  user_not_found: 404,
  password_too_short: 400,
  password_too_short_privileged: 400,
  password_too_long: 400,
  password_common: 400,
  password_wrong: 400,
  passwords_differ: 400,
  registration_closed: 403,
  last_superadmin: 409,
  own_role: 403,
  session_not_found: 404,
  // Cameras and live views
  camera_not_found: 404,
  camera_url_missing: 400,
  camera_url_refused: 400,
  camera_not_active: 409,
  camera_not_live: 503,
  camera_password_required: 400,
  ticket_invalid: 403,
  too_many_live_streams: 503,
  snapshot_not_ready: 404,
  demo_not_available: 503,
  // Faces
  face_not_found: 404,
  face_update_forbidden: 403,
  face_delete_forbidden: 403,
  category_not_found: 404,
  category_exists: 409,
  category_in_use: 409,
  image_required: 400,
  image_not_found: 404,
  image_type: 415,
  image_too_large: 413,
  image_too_many_pixels: 413,
  image_unreadable: 400,
  images_too_many: 413,
  sighting_not_found: 404,
  sighting_has_no_picture: 409,
} as const satisfies Record<string, number>;

export type ProblemCode = keyof typeof problems;

/** Why a picture that was kept does not serve for recognition; a sentence for each in `problem.json`. */
export const pictureFaults = [
  'no_face',
  'several_faces',
  'too_small',
  'blurred',
  'turned',
  'too_dark',
  'too_bright',
  'unreadable',
] as const;
export type PictureFault = (typeof pictureFaults)[number];
