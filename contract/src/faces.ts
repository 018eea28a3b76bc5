/** The people one knows: persons ("faces" in the documents' words), categories, photos. */
import { z } from 'zod/mini';
import {
  FaceIndexes,
  HexColor,
  Id,
  Named,
  Timestamp,
  optionalName,
  page,
  queryFlag,
  queryInteger,
  requiredName,
  results,
  searchText,
  text,
  timezone,
} from './fields.ts';
import { photoRefusals, pictureFaults } from './problem.ts';
import { ofPeopleQuota, ofPhotoQuota } from './refusals.ts';
import { administrators, everyone, route } from './route.ts';

export const FaceImage = z.object({
  id: Id,
  image: z.string(),
  /** Whether recognition uses this photo, and if not, why. */
  usable: z.boolean(),
  fault: z.nullable(z.enum(pictureFaults)),
  /** Why this photo may not show the person; null: nothing speaks against it. */
  doubt: z.nullable(
    z.object({
      reason: z.enum(['disagrees_with_others', 'fits_other_person']),
      /** The photo is not used for recognition. False: it is not known which photo is wrong; all are used. */
      set_aside: z.boolean(),
      /** The people whom it fits better and whom the reader may see. */
      face: z.nullable(Id),
      name: z.nullable(z.string()),
    }),
  ),
});
export type FaceImage = z.infer<typeof FaceImage>;

export const Face = z.object({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  category: Id,
  category_name: z.string(),
  category_color: z.string(),
  /** Address of the main photo; null when there is none left. */
  image: z.nullable(z.string()),
  images: z.array(FaceImage),
  description: z.string(),
  email: z.string(),
  phone: z.string(),
  position: z.string(),
  notes: z.string(),
  is_active: z.boolean(),
  is_demo: z.boolean(),
  /** How many photos recognition really uses. */
  usable_images: z.int(),
  /** Other people whom the reader may see, and who may be the same person by their photos; the likeliest first. */
  similar: z.array(z.object({ face: Id, name: z.string(), probability: z.number() })),
  created_by: z.nullable(Id),
  created_by_name: z.string(),
  created_at: Timestamp,
});
export type Face = z.infer<typeof Face>;

/** A file of several that was sent and is not kept, in the form of any refusal. */
export const RefusedImage = z.object({
  /** Its place among the photos of the request, as `face_index` counts them. */
  index: z.int(),
  /** What the file was called, in 100 characters at most; '' where the request did not say. It is not stored. */
  name: z.string(),
  detail: z.string(),
  code: z.enum(photoRefusals),
});
export type RefusedImage = z.infer<typeof RefusedImage>;

/** A person to whom photos were just added. */
export const EnrolledFace = z.extend(Face, {
  /** Files that are not kept, each with its reason; the others are. */
  refused_images: z.array(RefusedImage),
});
export type EnrolledFace = z.infer<typeof EnrolledFace>;

export const personFields = {
  first_name: requiredName(150),
  last_name: requiredName(150),
  category: Id,
  description: text(2000),
  email: z.union([z.literal(''), z.email().check(z.maxLength(254))]),
  phone: text(50),
  position: optionalName(150),
  notes: text(5000),
};

/** A multipart form carries everything as text. */
const formFlag = z.union([z.boolean(), queryFlag]);

export const FaceFields = z.object({
  ...personFields,
  description: z._default(personFields.description, ''),
  email: z._default(personFields.email, ''),
  phone: z._default(personFields.phone, ''),
  position: z._default(personFields.position, ''),
  notes: z._default(personFields.notes, ''),
  is_active: z._default(formFlag, true),
  /** "This face I am seeing now": the picture of this visit becomes the first photo. */
  sighting: z.optional(Id),
  /** Indexes into the photos in the order in which they are kept: `image`, then `uploaded_images`. */
  face_index: z.optional(FaceIndexes),
});
export type FaceFields = z.infer<typeof FaceFields>;

export const FaceChange = z.partial(z.object({ ...personFields, is_active: formFlag }));
export type FaceChange = z.infer<typeof FaceChange>;

export const FaceQuery = z.object({
  search: z.optional(searchText(150)),
  category: z.optional(Id),
  is_active: z.optional(queryFlag),
  created_by: z.optional(Id),
  ordering: z._default(
    z.enum(['last_name', '-last_name', 'created_at', '-created_at']),
    '-created_at',
  ),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 1000, 12),
});
export type FaceQuery = z.infer<typeof FaceQuery>;

export const FaceCategory = z.object({ id: Id, name: z.string(), color: z.string() });
export type FaceCategory = z.infer<typeof FaceCategory>;

export const FaceStatistics = z.object({
  total_faces: z.int(),
  active_faces: z.int(),
  inactive_faces: z.int(),
  /** Counted up to 10,000. */
  unknown_faces: z.int(),
  /** There are more unknown people than were counted. */
  unknown_faces_more: z.boolean(),
  time_series_data: z.array(
    z.object({ date: z.string(), active: z.int(), inactive: z.int(), unknown: z.int() }),
  ),
  categories: z.array(z.object({ id: Id, name: z.string(), color: z.string(), count: z.int() })),
});
export type FaceStatistics = z.infer<typeof FaceStatistics>;

/** The confidence that two faces are the same person, 0 to 1. Distances are never sent to a client. */
const probability = z.number();

/** Why a face is matched to a person, or to none, by what is known today. */
export const MatchExplanation = z.object({
  /**
   * What this picture says alone. `match`: the first of `nearest`. `nobody`: there is no person to compare with.
   * `too_far`: the nearest is not near enough. `not_clear`: the second is nearly as near as the first.
   */
  verdict: z.enum(['match', 'nobody', 'too_far', 'not_clear']),
  /** Id and version of the models that made the vector; only vectors of the same are compared. */
  pack: z.string(),
  /** The quality of the picture that was compared, 0 to 1. */
  quality: z.number(),
  /**
   * How many people the nearest was chosen among, of those the reader may open and the person recognised at this
   * visit: everyone whose account has as many rights as the nearest's, or more. The more people, the nearer a match
   * must be.
   */
  gallery_size: z.int(),
  /**
   * How sure the nearest must be to be named among so many; more for faces that are small or blurred. Cameras
   * compare with everyone who is enrolled, so that they may ask for more.
   */
  limit: probability,
  /** How much nearer the first is than the second, in parts of what is asked for; null without a second. */
  lead: z.nullable(z.number()),
  /** The nearest people, the nearest first. */
  nearest: z.array(
    z.object({
      /** Null where the reader may not open the person. */
      person_id: z.nullable(Id),
      /** `Known person` where the reader may not read the name. */
      name: z.string(),
      probability,
      /** Photos of theirs, the nearest first: that one decided. None where the reader may not open the person. */
      photos: z.array(
        z.object({ image_id: Id, image: z.string(), quality: z.number(), probability }),
      ),
    }),
  ),
});
export type MatchExplanation = z.infer<typeof MatchExplanation>;

const oneFace = z.object({ id: Id });

/** For the filters of the log screens. Two people of one name are two. */
const personNames = route({
  method: 'GET',
  path: '/secure-api/persons/',
  alsoAt: ['/secure-api/person/list/'],
  summary: 'Ids and names of the people one may see.',
  callers: everyone,
  keyScope: 'faces:read',
  shownAs: true,
  reply: results(Named),
});

export const faceRoutes = {
  personNames,
  list: route({
    method: 'GET',
    path: '/secure-api/faces/',
    summary: 'The people one may see.',
    callers: everyone,
    keyScope: 'faces:read',
    shownAs: true,
    query: FaceQuery,
    reply: page(Face),
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/faces/',
    summary:
      'Adds a person, with photos (`uploaded_images`, `image`) when sent as multipart; `face_index` says which face of each is meant. A file that is no photo is refused by name, the others are kept.',
    callers: everyone,
    keyScope: 'faces:write',
    consumes: ['json', 'multipart'],
    body: FaceFields,
    reply: EnrolledFace,
    status: 201,
    problems: [
      'sighting_not_found',
      'sighting_has_no_picture',
      'sighting_picture_hidden',
      ...ofPeopleQuota,
    ],
    fieldProblems: ['category_not_found', 'image_required', 'face_index_unknown'],
  }),
  statistics: route({
    method: 'GET',
    path: '/secure-api/faces/statistics/',
    summary:
      'How many people are known, active and unknown, and how that grew in 30 days of the time zone.',
    callers: everyone,
    keyScope: 'faces:read',
    shownAs: true,
    query: z.object({ timezone }),
    fieldProblems: ['time_zone_unknown'],
    reply: FaceStatistics,
  }),
  categories: route({
    method: 'GET',
    path: '/secure-api/faces/categories/',
    summary: 'The categories of people.',
    callers: everyone,
    keyScope: 'faces:read',
    shownAs: true,
    reply: results(FaceCategory),
  }),
  addCategory: route({
    method: 'POST',
    path: '/secure-api/faces/categories/',
    summary: 'Adds a category with a unique name.',
    callers: administrators,
    keyScope: 'faces:write',
    body: z.object({ name: requiredName(60), color: z._default(HexColor, '#2563eb') }),
    reply: FaceCategory,
    status: 201,
    fieldProblems: ['category_exists'],
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/faces/:id/',
    summary: 'One person.',
    callers: everyone,
    keyScope: 'faces:read',
    shownAs: true,
    params: oneFace,
    reply: Face,
    problems: ['face_not_found'],
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/faces/:id/',
    summary: 'Changes a person.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneFace,
    body: FaceChange,
    reply: Face,
    problems: ['face_not_found', 'face_update_forbidden'],
    fieldProblems: ['category_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/faces/:id/',
    summary: 'Deletes a person, the photos and everything computed from them.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneFace,
    status: 204,
    problems: ['face_not_found', 'face_delete_forbidden'],
  }),
  addImages: route({
    method: 'POST',
    path: '/secure-api/faces/:id/add_images/',
    summary:
      'Adds photos (`uploaded_images`) to a person; `face_index` says which face of each is meant. A file that is no photo is refused by name, the others are kept.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneFace,
    consumes: ['multipart'],
    body: z.object({ face_index: z.optional(FaceIndexes) }),
    reply: EnrolledFace,
    problems: ['face_not_found', 'face_update_forbidden', ...ofPhotoQuota],
    fieldProblems: ['image_required', 'face_index_unknown'],
  }),
  removeImage: route({
    method: 'DELETE',
    path: '/secure-api/faces/:id/remove_image/',
    summary: 'Removes one photo (`image_id`) of a person.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneFace,
    query: z.object({ image_id: Id }),
    reply: Face,
    problems: ['face_not_found', 'face_update_forbidden', 'image_not_found'],
  }),
  useImage: route({
    method: 'POST',
    path: '/secure-api/faces/:id/use_image/',
    summary:
      'Uses a photo (`image_id`) that was set aside again, until the photos of the person change.',
    callers: everyone,
    keyScope: 'faces:write',
    params: oneFace,
    body: z.object({ image_id: Id }),
    reply: Face,
    problems: ['face_not_found', 'face_update_forbidden', 'image_not_found'],
  }),
  image: route({
    method: 'GET',
    path: '/secure-api/faces/:id/images/:image/',
    summary: 'One photo, as a JPEG; with `size=thumb` 320 pixels of it at most, as WebP.',
    callers: everyone,
    keyScope: 'faces:read',
    shownAs: true,
    params: z.object({ id: Id, image: Id }),
    query: z.object({ size: z._default(z.enum(['full', 'thumb']), 'full') }),
    produces: 'image/*',
    problems: ['face_not_found', 'image_not_found'],
  }),
};
