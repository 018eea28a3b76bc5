/** What this feature asks the server, and what it sends. */
import {
  faceRoutes,
  type EnrolledFace,
  type FaceFields,
  type FaceImage,
  type Face,
} from '@nazar/contract/faces.ts';
import { privacyRoutes, type ConfirmedProof } from '@nazar/contract/privacy.ts';
import { recognitionRoutes, type CheckedPhoto } from '@nazar/contract/recognition.ts';
import { visitRoutes } from '@nazar/contract/visits.ts';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod/mini';
import { retryWhileBusy } from '#api/busy.ts';
import { call, fetchSigned } from '#api/call.ts';
import { download } from '#api/download.ts';
import { readProblem } from '#api/problem.ts';
import { ask } from '#api/query.ts';
import { appendPhotos, type ChosenFile } from '#parts/chosen-file.ts';
import type { FacesSearch } from './search.ts';

/** People of one page (FACE-015, CON-012). */
export const PAGE_SIZE = 12;

export const peopleQuery = ({ search, category, status, added_by, page = 1 }: FacesSearch) =>
  ask('faces', faceRoutes.list, {
    query: {
      ...(search !== undefined && { search }),
      ...(category !== undefined && { category }),
      ...(status !== undefined && { is_active: status === 'active' }),
      ...(added_by !== undefined && { created_by: added_by }),
      page,
      page_size: PAGE_SIZE,
    },
  });

export const unknownVisitsQuery = (page: number, limit = PAGE_SIZE) =>
  ask('detections', visitRoutes.faceLogs, { query: { is_recognized: false, page, limit } });

export const consentQuery = (id: string) => ask('faces', privacyRoutes.consent, { params: { id } });

export const downloadData = (id: string, body: ConfirmedProof): Promise<void> =>
  download(privacyRoutes.export, `person-${id}.tar`, { params: { id }, body });

export const categoriesQuery = () => ask('faces', faceRoutes.categories, {});

export const faceQuery = (id: string) => ask('faces', faceRoutes.read, { params: { id } });

/** The person as a list knew them, kept up to date while a dialog shows them. */
export function useFace(known: Face): Face {
  const { data } = useQuery({
    ...faceQuery(known.id),
    initialData: known,
  });
  return data;
}

export interface NewPhotos {
  readonly files: readonly ChosenFile[];
  /** The visit whose picture becomes the first photo. */
  readonly visitId?: string | undefined;
}

export interface NewFace extends NewPhotos {
  readonly fields: Omit<z.input<typeof FaceFields>, 'sighting' | 'face_index'>;
}

export function addFace({ fields, files, visitId }: NewFace): Promise<EnrolledFace> {
  const body = { ...fields, ...(visitId !== undefined && { sighting: visitId }) };
  if (files.length === 0) return call(faceRoutes.add, { body });
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, String(value));
  appendPhotos(form, files);
  return retryWhileBusy(() => call(faceRoutes.add, { form }));
}

export function addImages(id: string, files: readonly ChosenFile[]): Promise<EnrolledFace> {
  const form = appendPhotos(new FormData(), files);
  return retryWhileBusy(() => call(faceRoutes.addImages, { params: { id }, form }));
}

export const removeImage = (id: string, image: string): Promise<Face> =>
  call(faceRoutes.removeImage, { params: { id }, query: { image_id: image } });

export const sendUseImage = (id: string, image: string): Promise<Face> =>
  call(faceRoutes.useImage, { params: { id }, body: { image_id: image } });

/** A photo that a person has, with the faces on it. */
export interface KeptFaces {
  readonly photo: Blob;
  readonly checked: CheckedPhoto;
}

export async function facesOf(id: string, image: FaceImage): Promise<KeptFaces> {
  const response = await fetchSigned(image.image);
  if (!response.ok) throw await readProblem(response);
  const photo = await response.blob();
  const form = new FormData();
  form.append('image', photo, 'photo.jpg');
  const check = () => call(recognitionRoutes.check, { form, query: { face: id } });
  return { photo, checked: await retryWhileBusy(check) };
}

/** Uses this face of a photo. Rejects with why it cannot be used. */
export async function sendFaceIndex(id: string, image: string, index: number): Promise<void> {
  const faces = [{ id, images: [{ id: image, face_index: index }] }];
  const [answer] = await call(recognitionRoutes.process, { body: { faces } });
  const error = answer?.error?.error;
  if (error !== undefined) throw new Error(error);
}
