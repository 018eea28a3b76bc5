import type { FastifyRequest } from 'fastify';
import { faceRoutes, type EnrolledFace } from '@nazar/contract/faces.ts';
import { recognitionRoutes } from '@nazar/contract/recognition.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { problemSentence, readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Upload } from '#http/body.ts';
import type { FaceReads, Faces, Recognition, Registry, SeenFace } from './faces.ts';
import type { SentPhoto } from './photos/enrolment.ts';
import type { Enrolled } from './photos/photos.ts';

/** `seenFace` returns the face of a visit, within the scope; `visits` comes later in the order of modules. */
export function faceEndpoints(
  api: Api,
  faces: Faces,
  reads: FaceReads,
  seenFace: (scope: Scope, visitId: string) => Promise<SeenFace>,
): void {
  serve(api, faceRoutes.personNames, async ({ scope }) => ({
    results: await faces.listNames(scope),
  }));
  serve(api, faceRoutes.list, ({ scope, query }) => reads.list(scope, query));
  serve(api, faceRoutes.add, async ({ scope, body, files, raw }) => {
    const seen = body.sighting ? await seenFace(scope, body.sighting) : null;
    const added = await faces.add(scope, body, photosOf(files, body.face_index), seen);
    return asEnrolled(raw, added);
  });
  serve(api, faceRoutes.categories, async () => ({ results: await faces.categories.list() }));
  serve(api, faceRoutes.addCategory, ({ scope, body }) => faces.categories.add(scope, body));
  serve(api, faceRoutes.read, ({ scope, params }) => reads.view(scope, params.id));
  serve(api, faceRoutes.change, ({ scope, params, body }) => faces.change(scope, params.id, body));
  serve(api, faceRoutes.remove, ({ scope, params }) => faces.remove(scope, params.id));
  serve(api, faceRoutes.addImages, async ({ scope, params, body, files, raw }) =>
    asEnrolled(raw, await faces.photos.add(scope, params.id, photosOf(files, body.face_index))),
  );
  serve(api, faceRoutes.removeImage, ({ scope, params, query }) =>
    faces.photos.remove(scope, params.id, query.image_id),
  );
  serve(api, faceRoutes.useImage, ({ scope, params, body }) =>
    faces.photos.useAgain(scope, params.id, body.image_id),
  );
  serve(api, faceRoutes.image, ({ scope, params, query }) =>
    faces.photos.read(scope, params.id, params.image, query.size),
  );
}

export function recognitionEndpoints(
  api: Api,
  faces: Faces,
  recognition: Recognition,
  registry: Registry,
): void {
  serve(api, recognitionRoutes.recognize, ({ scope, query, files }) => {
    const [picture] = photosOf(files);
    if (!picture) throw new Problem('image_required', { field: 'image' });
    return recognition.recognize(scope, picture.bytes, query.top_k);
  });
  serve(api, recognitionRoutes.check, ({ scope, query, files }) => {
    const [picture] = photosOf(files);
    if (!picture) throw new Problem('image_required', { field: 'image' });
    const { face = null, face_index: faceIndex = null, preview: hasPreview } = query;
    return recognition.check(scope, { ...picture, faceIndex }, face, { hasPreview });
  });
  serve(api, recognitionRoutes.process, async ({ scope, body, raw }) => {
    const language = readerLanguage(raw.headers['accept-language']);
    const answers = [];
    for (const { id, name, images } of body.faces) {
      const chosen = images.map((image) =>
        typeof image === 'string'
          ? { id: image }
          : { id: image.id, faceIndex: image.face_index ?? null },
      );
      const error = await faces.photos.reprocess(scope, id, chosen.length > 0 ? chosen : null).then(
        () => null,
        (failure: unknown) => {
          // A failure of one stops no other; a bug of ours stops all.
          if (!(failure instanceof Problem)) throw failure;
          return { error: problemSentence(language, failure.code, failure.params) };
        },
      );
      answers.push({ id, name, success: error === null, error });
    }
    return answers;
  });
  serve(api, recognitionRoutes.register, ({ scope, body, files }) =>
    registry.register(scope, body, photosOf(files, body.face_index?.toString())[0], 'image'),
  );
}

/**
 * `image` is the main photo, whatever order the form sent them in. `indexes`: FaceIndexes. Throws
 * face_index_unknown where there are more of them than photos.
 */
function photosOf(files: readonly Upload[], indexes = ''): SentPhoto[] {
  const main = files.filter(({ field }) => field === 'image');
  const others = files.filter(({ field }) => field === 'uploaded_images');
  const photos = [...main, ...others];
  const chosen = indexes.split(',').map((index) => (index === '' ? null : Number(index)));
  if (chosen.slice(photos.length).some((index) => index !== null)) {
    throw new Problem('face_index_unknown', { field: 'face_index' });
  }
  return photos.map(({ bytes, name }, i) => ({ bytes, name, faceIndex: chosen[i] ?? null }));
}

function asEnrolled({ headers }: FastifyRequest, { refused, ...face }: Enrolled): EnrolledFace {
  const language = readerLanguage(headers['accept-language']);
  return {
    ...face,
    refused_images: refused.map(({ index, name, why: { code, params } }) => {
      return { index, name, detail: problemSentence(language, code, params), code };
    }),
  };
}
