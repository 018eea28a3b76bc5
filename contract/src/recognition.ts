/** Recognising people on pictures that a caller sends, and enrolling them as other programs do it. */
import { z } from 'zod/mini';
import { Face, MatchExplanation } from './faces.ts';
import { FaceIndex, Id, queryFlag, queryInteger, requiredName, text } from './fields.ts';
import { pictureFaults } from './problem.ts';
import { ofPeopleQuota } from './refusals.ts';
import { everyone, route } from './route.ts';

/** Where a face is, in fractions of the picture: what is outside of it is less than 0 or more than 1. */
const place = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };

/** By how many degrees, clockwise, a photo was turned to stand upright; places and sizes are those of the turned one. */
const turned = z.literal([0, 90, 180, 270]);

export const RecognizedFace = z.object({
  ...place,
  /** How sure the detector is that this is a face, 0 to 1. */
  score: z.number(),
  /** How well it serves, 0 to 1: size, frontality and sharpness. */
  quality: z.number(),
  /** Why it cannot be compared; null when it was. */
  fault: z.nullable(z.enum(pictureFaults)),
  /** `unusable`: seen, but not well enough to be identified. */
  outcome: z.enum(['known', 'unknown', 'unusable']),
  /** Who it is; null unless known. */
  face: z.nullable(Id),
  name: z.nullable(z.string()),
  /** Calibrated, 0 to 1; null unless known. */
  confidence: z.nullable(z.number()),
  /** Whom it is near to, and how near would have been enough; null when it was not compared. */
  explanation: z.nullable(MatchExplanation),
});
export type RecognizedFace = z.infer<typeof RecognizedFace>;

export const RecognizedPicture = z.object({
  /** The size of the picture as it was analyzed, in pixels. */
  width: z.int(),
  height: z.int(),
  turned,
  /** The largest first. */
  faces: z.array(RecognizedFace),
});
export type RecognizedPicture = z.infer<typeof RecognizedPicture>;

/** A photo that is about to be added to a person, checked before it is kept. */
export const CheckedPhoto = z.object({
  width: z.int(),
  height: z.int(),
  turned,
  /**
   * Every face on it, the largest first; `face_index` names one by its place here. The same photo has the same faces
   * in the same order while the same models are in use.
   */
  faces: z.array(
    z.object({
      ...place,
      score: z.number(),
      quality: z.number(),
      /** Why this face would not serve; null when it would. */
      fault: z.nullable(z.enum(pictureFaults)),
      /**
       * The one that is meant: the one that was chosen, else the one that fits the person's photos, else the largest if
       * no other has half its size.
       */
      chosen: z.boolean(),
    }),
  ),
  /** The photo as it would be kept, upright, as a JPEG in base64; null unless `preview` asks for it. */
  preview: z.nullable(z.string()),
  /** Why the photo would not serve; null when it would. */
  fault: z.nullable(z.enum(pictureFaults)),
  /** A photo of theirs that shows nearly the same: a different one would help recognition more. */
  duplicate_of: z.nullable(Id),
  /** Other people whom this may be, the likeliest first. */
  similar: z.array(z.object({ face: Id, name: z.string(), probability: z.number() })),
});
export type CheckedPhoto = z.infer<typeof CheckedPhoto>;

const name = { first_name: requiredName(150), last_name: requiredName(150) };

export const recognitionRoutes = {
  recognize: route({
    method: 'POST',
    path: '/secure-api/faces/recognize/',
    summary:
      'Who is on a picture (`image`), among the people one may see: every face, how good it is, the ' +
      '`top_k` nearest people and why. The picture is not kept.',
    callers: everyone,
    keyScope: 'faces:read',
    consumes: ['multipart'],
    query: z.object({ top_k: queryInteger(1, 20, 5) }),
    body: z.object({}),
    reply: RecognizedPicture,
    fieldProblems: ['image_required'],
  }),
  check: route({
    method: 'POST',
    path: '/secure-api/faces/check_photo/',
    summary:
      'What a photo (`image`) of `face` would be worth: its faces, which (`face_index`) is meant, why it would ' +
      'not serve, whom it may be besides; with `preview=true` its picture. Nothing is kept.',
    callers: everyone,
    keyScope: 'faces:read',
    consumes: ['multipart'],
    query: z.object({
      face: z.optional(Id),
      face_index: z.optional(FaceIndex),
      preview: z.optional(queryFlag),
    }),
    body: z.object({}),
    reply: CheckedPhoto,
    problems: ['face_not_found'],
    fieldProblems: ['image_required', 'face_index_unknown'],
  }),
  process: route({
    method: 'POST',
    path: '/secure-api/faces/process_for_recognition/',
    summary:
      'Looks anew at the photos of people, all or some, and says of each person whether one serves. One ' +
      'after another, in their order; whom it fails for stops nobody else.',
    callers: everyone,
    keyScope: 'faces:write',
    body: z.object({
      faces: z
        .array(
          z.object({
            id: Id,
            /** Answered as it was sent. */
            name: z._default(text(310), ''),
            /** Absent or empty: all of theirs. */
            images: z._default(
              z
                .array(
                  z.union([
                    Id,
                    /** `face_index`: which face of the photo is meant. */
                    z.object({
                      id: Id,
                      face_index: z.optional(z.int().check(z.gte(0), z.lte(99))),
                    }),
                  ]),
                )
                .check(z.maxLength(20)),
              [],
            ),
          }),
        )
        .check(z.minLength(1), z.maxLength(20)),
    }),
    reply: z.array(
      z.object({
        id: Id,
        name: z.string(),
        success: z.boolean(),
        /** In the reader's language; null when a photo serves. */
        error: z.nullable(z.object({ error: z.string() })),
      }),
    ),
  }),
  register: route({
    method: 'POST',
    path: '/secure-api/faces/register_face/',
    summary:
      'Adds a person with one photo (`image`) that must show one usable face, or the one that `face_index` names.',
    callers: everyone,
    keyScope: 'faces:write',
    consumes: ['multipart'],
    body: z.object({ ...name, category: z.optional(Id), face_index: z.optional(FaceIndex) }),
    reply: Face,
    status: 201,
    problems: ofPeopleQuota,
    fieldProblems: ['category_not_found', 'image_required', 'image_unusable', 'face_index_unknown'],
  }),
};
