/** People, and where they were seen. */
import { testPassword } from '../server.ts';
import { aPerson, everything, anEmail, type Caller, type Made, type MatrixRow } from './row.ts';

export const peopleRights: readonly MatrixRow[] = [
  {
    resource: 'people, with their photos',
    cells: '- own own all all all',
    key: 'faces:read',
    routes: {
      'GET /secure-api/faces/': { of: 'person', query: everything },
      'GET /secure-api/faces/:id/': { of: 'person' },
      'GET /secure-api/persons/': { of: 'person' },
      'GET /secure-api/person/list/': { of: 'person' },
      'GET /secure-api/faces/:id/images/:image/': { of: 'person' },
      'GET /secure-api/faces/statistics/': {},
    },
  },
  {
    resource: 'people: change, delete, their photos',
    cells: '- own own all all all',
    key: 'faces:write',
    routes: {
      'PATCH /secure-api/faces/:id/': {
        of: 'person',
        body: { notes: 'x' },
        foreign: 403,
      },
      'DELETE /secure-api/faces/:id/': { of: 'person', foreign: 403 },
      'POST /secure-api/faces/:id/add_images/': {
        of: 'person',
        ok: 400,
        foreign: 403,
      },
      'DELETE /secure-api/faces/:id/remove_image/': {
        of: 'person',
        query: '?image_id=:image',
        foreign: 403,
      },
      'POST /secure-api/faces/:id/use_image/': {
        of: 'person',
        body: (_caller: Caller, { image }: Made) => ({ image_id: image }),
        foreign: 403,
      },
    },
  },
  {
    resource: 'people: legal basis, export, erasure',
    cells: '- own own all all all',
    routes: {
      'GET /secure-api/privacy/people/:id/consent/': { of: 'person' },
      'PUT /secure-api/privacy/people/:id/consent/': {
        of: 'person',
        body: { basis: 'contract', obtained_at: null, expires_at: null },
        foreign: 403,
      },
      'GET /secure-api/privacy/people/:id/unknown/': { of: 'person' },
      'POST /secure-api/privacy/people/:id/export/': {
        of: 'person',
        body: { password: testPassword },
      },
      'POST /secure-api/privacy/people/:id/erase/': {
        of: 'person',
        body: { password: testPassword },
        foreign: 403,
      },
    },
  },
  {
    resource: 'people: add somebody whom a camera saw',
    cells: '- vis vis all all all',
    key: 'faces:write',
    routes: {
      'POST /secure-api/faces/': {
        of: 'visit',
        body: (_caller: Caller, { id, category }: Made) => ({
          ...aPerson,
          category,
          sighting: id,
        }),
      },
    },
  },
  {
    // Without a picture, which needs models: faces/recognition.model.test.ts.
    resource: 'people on a picture',
    cells: '- own own all all all',
    key: 'faces:read',
    routes: {
      'POST /secure-api/faces/recognize/': { ok: 400 },
      'POST /secure-api/faces/check_photo/': { ok: 400 },
    },
  },
  {
    resource: 'people: register one',
    cells: '- own own all all all',
    key: 'faces:write',
    routes: {
      'POST /secure-api/faces/register_face/': { ok: 400 },
      // Reports the outcome for each id, also for one that no person has: faces/recognition.model.test.ts.
      'POST /secure-api/faces/process_for_recognition/': {
        body: { faces: [{ id: '00000000-0000-7000-8000-000000000000' }] },
      },
    },
  },
  {
    // One route, four actions; by name: face-detector.db.test.ts.
    resource: 'the face detector: whom a camera sees just now',
    cells: '- vis vis all all all',
    routes: {
      'POST /secure-api/face_detector/face/recognition/': {
        of: 'camera',
        body: (_caller: Caller, { id }: Made) => ({ action: 'list_detected_faces', camera_id: id }),
      },
    },
  },
  {
    resource: 'categories of people',
    cells: '- all all all all all',
    key: 'faces:read',
    routes: { 'GET /secure-api/faces/categories/': {} },
  },
  {
    resource: 'categories of people: add',
    cells: '- - - all all all',
    key: 'faces:write',
    routes: { 'POST /secure-api/faces/categories/': { body: () => ({ name: anEmail() }) } },
  },
  {
    resource: 'face logs',
    cells: '- vis vis all all all',
    key: 'logs:read',
    routes: {
      'GET /secure-api/activity-log/face-logs/': { of: 'visit', query: '?limit=1000' },
      'GET /secure-api/faces/detections/': { of: 'visit', query: '?limit=100' },
      'GET /secure-api/activity-log/face-logs/:id/': { of: 'visit' },
      'GET /secure-api/activity-log/face-logs/:id/image/': { of: 'visit' },
      'GET /secure-api/activity-log/face-logs/:id/explanation/': { of: 'visit' },
    },
  },
  {
    // What each counts: parity.db.test.ts.
    resource: 'face logs: counts, computed within the scope',
    cells: '- vis vis all all all',
    key: 'logs:read',
    routes: {
      'GET /secure-api/activity-log/daily-face-logs/by-date-range/': {},
      'GET /secure-api/activity-log/activity-logs/daily-face-logs/by-date-range/': {},
      'GET /secure-api/activity-log/daily-face-logs/': {},
      'GET /secure-api/activity-log/daily-face-logs/by-person/': {},
      'GET /secure-api/activity-log/face-recognition/daily-logs/': {},
      'GET /secure-api/activity-log/face-recognition/daily-stats/by-person/': {},
      'GET /secure-api/activity-log/face-recognition/daily-stats/by-date/': {},
      'GET /secure-api/activity-log/activity-logs/face-recognition-stats/': {},
      'GET /secure-api/activity-log/face-logs/stats/': {},
      'GET /secure-api/activity-log/face-recognition/stats/': {},
      'GET /secure-api/activity-log/face-logs/people/': {},
      'GET /secure-api/activity-log/face-logs/by-person/': {},
      'GET /secure-api/activity-log/face-logs/stats/by-person-confidence/': {},
      'GET /secure-api/activity-log/face-recognition/stats/by-person/': {},
      'GET /secure-api/activity-log/face-logs/by-date/': {},
      'GET /secure-api/activity-log/face-recognition/stats/by-date/': {},
      'GET /secure-api/activity-log/face-logs/counts/': { query: '?by=day' },
      'GET /secure-api/activity-log/face-logs/camera-details/': {
        of: 'camera',
        query: '?camera_id=:id',
      },
      'GET /secure-api/activity-log/face-recognition/logs/': { of: 'visit', query: '?limit=1000' },
    },
  },
  {
    resource: 'face logs: delete, at cameras one added',
    cells: '- own own all all all',
    routes: {
      'DELETE /secure-api/activity-log/face-logs/:id/': { of: 'visit' },
      'DELETE /secure-api/activity-log/daily-face-logs/:id/': { of: 'day of a visit' },
    },
  },
  {
    // No visits of others are deleted: visits/deleting.db.test.ts.
    resource: 'face logs: delete many, of those at cameras one added',
    cells: '- own own all all all',
    routes: {
      'POST /secure-api/activity-log/face-logs/bulk-delete/': {
        body: { ids: ['00000000-0000-7000-8000-000000000000'] },
      },
      'POST /secure-api/activity-log/daily-face-logs/bulk-delete/': {
        body: { ids: ['2026-01-15.unknown'] },
      },
    },
  },
  {
    resource: 'faces that nobody has named',
    cells: '- vis vis all all all',
    key: 'logs:read',
    routes: {
      'GET /secure-api/faces/unknown/': { of: 'unknown face', query: '?page_size=200' },
      'GET /secure-api/faces/unknown/:id/': { of: 'unknown face' },
    },
  },
  {
    resource: 'faces that nobody has named: review them',
    cells: '- - vis all all all',
    key: 'faces:write',
    routes: {
      'PATCH /secure-api/faces/unknown/:id/update_status/': {
        of: 'unknown face',
        body: { status: 'reviewing' },
      },
      'POST /secure-api/faces/unknown/:id/identify/': {
        of: 'unknown face',
        body: (_caller: Caller, { category }: Made) => ({ ...aPerson, category }),
      },
      'POST /secure-api/faces/unknown/:id/merge/': {
        of: 'unknown faces',
        body: (_caller: Caller, { other }: Made) => ({ with: other }),
      },
      'POST /secure-api/faces/unknown/:id/split/': {
        of: 'unknown faces',
        body: (_caller: Caller, { visit }: Made) => ({ visits: [visit] }),
      },
    },
  },
  {
    resource: 'visits of one’s own people: say that it is not them, and take it back',
    cells: '- own own all all all',
    key: 'faces:write',
    routes: {
      'POST /secure-api/activity-log/face-logs/:id/not_this_person/': { of: 'named visit' },
      'DELETE /secure-api/activity-log/face-logs/:id/not_this_person/': { of: 'corrected visit' },
    },
  },
  {
    resource: 'faces that somebody named: take the name back, of one’s own people',
    cells: '- own own all all all',
    key: 'faces:write',
    routes: {
      'POST /secure-api/faces/unknown/:id/undo/': {
        of: 'identified face',
        body: (_caller: Caller, { correction }: Made) => ({ correction }),
      },
    },
  },
  {
    resource: 'analytics, computed within the scope',
    cells: '- vis vis all all all',
    key: 'analytics:read',
    routes: { 'GET /secure-api/analytics/summary/': {} },
  },
  {
    resource: 'erasures, and accounts that ended',
    cells: '- - - all all all',
    routes: {
      'GET /secure-api/privacy/erasures/': {},
      'GET /secure-api/privacy/ended-accounts/': {},
    },
  },
  {
    resource: 'people of an account: give them to another; what is too old: remove it now',
    cells: '- - - - all all',
    routes: {
      'POST /secure-api/privacy/retention/run/': {},
      'POST /secure-api/privacy/accounts/:id/hand_over/': {
        of: 'other user',
        body: ({ id }: Caller) => ({ to: id }),
      },
    },
  },
];
