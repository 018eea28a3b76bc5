/** Things of the contract with sensible contents; a test names only what it is about. */
import type { Preferences, User } from '@nazar/contract/accounts.ts';
import type { Summary } from '@nazar/contract/analytics.ts';
import type { Face, FaceImage } from '@nazar/contract/faces.ts';
import type { Consent } from '@nazar/contract/privacy.ts';
import type { Detection, Visit, DetailedVisit } from '@nazar/contract/visits.ts';
import type { UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { defaultPreferences } from '#api/session.ts';

export const aUser = (over: Partial<User> = {}): User => ({
  id: '11111111-1111-4111-8111-111111111111',
  email: 'aysel@example.com',
  first_name: 'Aysel',
  last_name: 'Quliyeva',
  role: 'superadmin',
  is_staff: true,
  is_superuser: true,
  joinDate: '2026-01-02T03:04:05.000Z',
  phone: '',
  department: '',
  position: '',
  address: '',
  birthdate: null,
  bio: '',
  ...over,
});

export const somePreferences = (over: Partial<Preferences> = {}): Preferences => ({
  ...defaultPreferences,
  timezone: 'UTC',
  ...over,
});

export const aSummary = (over: Partial<Summary> = {}): Summary => ({
  face_stats: { total: 12, known: 12, unknown: 3, unknown_more: false, trend: null },
  camera_stats: { total: 4, active: 3, inactive: 1, maintenance: 0, error: 0, live: 3 },
  recognition_rate: { rate: 95.3, trend: null },
  traffic_flow: [],
  ...over,
});

let made = 0;
/** Ids that differ, in the order they are made. */
export const anId = (): string =>
  `22222222-2222-4222-8222-${String((made += 1)).padStart(12, '0')}`;

export const aPhoto = (over: Partial<FaceImage> = {}): FaceImage => {
  const id = anId();
  const image = `/secure-api/faces/x/images/${id}/`;
  return { id, image, usable: true, fault: null, doubt: null, ...over };
};

export const aFace = (over: Partial<Face> = {}): Face => {
  const images = over.images ?? [aPhoto()];
  return {
    id: anId(),
    first_name: 'Leyla',
    last_name: 'Orucova',
    category: '33333333-3333-4333-8333-333333333333',
    category_name: 'employee',
    category_color: '#2563eb',
    image: images[0]?.image ?? null,
    images,
    description: '',
    email: '',
    phone: '',
    position: '',
    notes: '',
    is_active: true,
    is_demo: false,
    usable_images: images.filter((image) => image.usable).length,
    similar: [],
    created_by: aUser().id,
    created_by_name: 'Aysel Quliyeva',
    created_at: '2026-02-03T04:05:06.000Z',
    ...over,
  };
};

export const aVisit = (over: Partial<Visit> = {}): Visit => {
  const id = anId();
  return {
    id,
    person_name: 'Unknown',
    person_id: null,
    camera_id: '44444444-4444-4444-8444-444444444444',
    camera_name: 'Lobby',
    timestamp: '2026-03-04T05:06:07.000Z',
    ended_at: '2026-03-04T05:06:27.000Z',
    confidence: null,
    is_recognized: false,
    face_image_url: `/secure-api/activity-log/face-logs/${id}/image/`,
    picture_hidden: false,
    location: 'Ground floor',
    is_corrected: false,
    attributes: null,
    may_play: true,
    recorded_at: '2026-03-04T05:06:09.000Z',
    ...over,
  };
};

export const aVisitRead = (over: Partial<DetailedVisit> = {}): DetailedVisit => ({
  ...aVisit(),
  unknown: null,
  may_correct: false,
  decisions: [],
  ...over,
});

export const aDetection = (over: Partial<Detection> = {}): Detection => ({
  id: anId(),
  image: null,
  picture_hidden: false,
  face_name: 'Unknown',
  camera_name: 'Lobby',
  camera_id: '44444444-4444-4444-8444-444444444444',
  timestamp: '2026-03-04T05:06:07.000Z',
  confidence: 0.8,
  is_recognized: false,
  ...over,
});

export const aConsent = (over: Partial<Consent> = {}): Consent => ({
  basis: 'not_recorded',
  obtained_at: null,
  expires_at: null,
  document: '',
  recorded_by: null,
  recorded_by_name: '',
  recorded_at: null,
  has_ended: false,
  allows_recognition: true,
  ...over,
});

export const aStranger = (over: Partial<UnknownFace> = {}): UnknownFace => ({
  id: anId(),
  number: 14,
  status: 'new',
  image: `/secure-api/activity-log/face-logs/${anId()}/image/`,
  picture_hidden: false,
  camera: anId(),
  camera_name: 'Lobby',
  timestamp: '2026-03-04T05:06:07.000Z',
  first_seen: '2026-03-01T05:06:07.000Z',
  confidence: null,
  quality: 0.9,
  face: null,
  face_name: null,
  count: 3,
  correction: null,
  ...over,
});
