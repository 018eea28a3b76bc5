/** Cameras and what they show. */
import { unknownId } from '../routes.ts';
import { testPassword } from '../server.ts';
import { everything, type Ask, type MatrixRow } from './row.ts';

/** An hour of the recordings of one camera, long ago. */
const anHour: Ask['body'] = (_caller, { id: camera }) => ({
  cameras: [camera],
  from: '2020-01-15T10:00:00Z',
  until: '2020-01-15T11:00:00Z',
});

const layoutOf = (camera_id: string | undefined) => ({
  name: 'Night',
  tiles: [{ camera_id, is_pinned: false }],
});
/** Replaces a layout that no user has changed yet. */
const changedLayout: Ask['body'] = (_caller, { camera }) => ({
  ...layoutOf(camera),
  revision: 1,
});
/** One stream that can be added and one that cannot. */
const importBody = {
  text: 'streams:\n  gate: rtsp://viewer:Pa55-of-the-gate@192.168.1.9/gate\n  yard: exec:cat /etc/passwd\n',
};

export const cameraRights: readonly MatrixRow[] = [
  {
    resource: 'cameras',
    cells: '- vis vis all all all',
    key: 'cameras:read',
    routes: {
      'GET /secure-api/cameras/': { of: 'camera', query: everything },
      'GET /secure-api/camera/list/': { of: 'camera', query: everything },
      'GET /camera/list/': { of: 'camera', query: everything },
      'GET /secure-api/cameras/:id/': { of: 'camera' },
      'GET /secure-api/cameras/:id/history/': { of: 'camera', query: everything },
    },
  },
  {
    // Among the callers who see the camera, those who hold `manage`.
    resource: 'what a camera costs',
    cells: '- vis vis all all all',
    key: 'cameras:read',
    routes: { 'GET /secure-api/cameras/:id/cost/': { of: 'camera' } },
  },
  {
    resource: 'who added the cameras one may see',
    cells: '- all all all all all',
    key: 'cameras:read',
    routes: { 'GET /secure-api/cameras/owners/': {} },
  },
  {
    resource: 'cameras, as the log names them',
    cells: '- vis vis all all all',
    routes: { 'GET /secure-api/activity-log/cameras/': { of: 'camera' } },
  },
  {
    resource: 'snapshots, live views',
    cells: '- vis vis all all all',
    key: 'live',
    routes: {
      'GET /secure-api/cameras/snapshots/latest/': [{}, { of: 'camera', query: '?camera_id=:id' }],
      'GET /secure-api/cameras/:id/snapshot/': { of: 'camera', ok: 'camera_not_live' },
      'POST /secure-api/cameras/:id/live/ticket/': { of: 'camera' },
      'GET /secure-api/cameras/:id/live/': { of: 'camera' },
      'GET /secure-api/cameras/:id/live/mjpeg/': { of: 'camera', ok: 'camera_not_live' },
      'GET /secure-api/cameras/:id/live/index.m3u8': { of: 'camera', ok: 'camera_not_live' },
      'POST /secure-api/cameras/:id/low_latency_stream/': {
        of: 'camera',
        body: { sdp: 'v=0' },
        ok: 'camera_not_live',
      },
      'DELETE /secure-api/cameras/:id/low_latency_stream/:session/': {
        of: 'camera',
        ok: 'low_latency_not_found',
      },
    },
  },
  {
    resource: 'page of a camera without video',
    cells: '- vis vis all all all',
    key: 'cameras:read',
    routes: {
      'GET /secure-api/cameras/:id/page/': { of: 'camera' },
      'GET /secure-api/cameras/:id/page/frame/': { of: 'camera', ok: 'not_found' },
    },
  },
  {
    resource: 'connection test, saved camera',
    cells: '- vis vis all all all',
    key: 'cameras:read',
    routes: { 'POST /secure-api/cameras/:id/test_connection/': { of: 'camera', body: {} } },
  },
  {
    resource: 'import of a configuration',
    cells: '- - - - all all',
    key: 'cameras:write',
    routes: {
      'POST /secure-api/cameras/import/preview/': { body: importBody },
      'POST /secure-api/cameras/import/': {
        body: {
          ...importBody,
          location: 'Yard',
          cameras: [{ key: 'streams.gate', name: 'Imported' }],
        },
      },
    },
  },
  {
    resource: 'connection test, free URL',
    cells: '- - - - all all',
    key: 'cameras:write',
    routes: { 'POST /secure-api/cameras/test_connection/': { body: {} } },
  },
  {
    resource: 'face detection: which streams run',
    cells: '- all all all all all',
    key: 'live',
    routes: { 'GET /secure-api/face_detector/status/': {} },
  },
  {
    resource: 'parts of an HLS view, by the name of its session',
    cells: 'all all all all all all',
    routes: {
      'GET /secure-api/cameras/:id/live/hls/:session/stream.m3u8': {
        of: 'camera',
        ok: 'not_found',
      },
      'GET /secure-api/cameras/:id/live/hls/:session/:part': { of: 'camera', ok: 'not_found' },
    },
  },
  {
    resource: 'streams with boxes, of cameras where faces are looked for',
    cells: '- vis vis all all all',
    key: 'live',
    routes: {
      'GET /secure-api/face_detector/stream/': {
        of: 'camera',
        query: '?camera_id=:id',
        ok: 'camera_not_live',
      },
    },
  },
  {
    resource: 'face detection: to stop',
    cells: '- - vis - all all',
    key: 'live',
    routes: {
      'POST /secure-api/face_detector/stop/': {
        of: 'camera',
        body: (_caller, { id: camera_id }) => ({ camera_id }),
      },
    },
  },
  {
    resource: 'cameras: add, change, delete',
    cells: '- - - - all all',
    key: 'cameras:write',
    routes: {
      'POST /secure-api/cameras/': { body: { name: 'Gate', location: 'Yard' } },
      'PUT /secure-api/cameras/:id/': { of: 'camera', body: { name: 'Gate', location: 'Yard' } },
      'DELETE /secure-api/cameras/:id/': { of: 'camera' },
      'PATCH /secure-api/cameras/:id/update_status/': {
        of: 'camera',
        body: { status: 'inactive' },
      },
    },
  },
  {
    resource: 'ONVIF cameras that are not added yet',
    cells: '- - - - all all',
    key: 'cameras:write',
    routes: {
      'POST /secure-api/cameras/discover/': {},
      'POST /secure-api/cameras/describe/': { body: { url: 'http://127.0.0.1:9/' } },
    },
  },
  {
    resource: 'moving a camera',
    cells: '- vis vis all all all',
    key: 'live',
    routes: {
      'GET /secure-api/cameras/:id/ptz/': { of: 'camera' },
      'POST /secure-api/cameras/:id/ptz/': {
        of: 'camera',
        body: { kind: 'stop' },
        ok: 'camera_cannot_move',
      },
    },
  },
  {
    resource: 'masks and zones of a camera: to read',
    cells: '- vis vis all all all',
    key: 'cameras:read',
    routes: { 'GET /secure-api/cameras/:id/zones/': { of: 'camera' } },
  },
  {
    resource: 'masks and zones of a camera: to change',
    cells: '- - - - all all',
    key: 'cameras:write',
    routes: { 'PUT /secure-api/cameras/:id/zones/': { of: 'camera', body: { zones: [] } } },
  },
  {
    resource: 'what the sub-stream of a camera shows: to read',
    cells: '- - - - all all',
    key: 'cameras:read',
    routes: { 'GET /secure-api/cameras/:id/alignment/': { of: 'camera' } },
  },
  {
    resource: 'what the sub-stream of a camera shows: to say, and to have it measured anew',
    cells: '- - - - all all',
    key: 'cameras:write',
    routes: {
      'PUT /secure-api/cameras/:id/alignment/': {
        of: 'camera',
        body: { part: { x: 0, y: 0, width: 1, height: 1 }, streams: 'of nothing' },
        ok: 'streams_changed',
      },
      'DELETE /secure-api/cameras/:id/alignment/': { of: 'camera' },
    },
  },
  {
    resource: 'the two pictures of a camera without masks, to compare them',
    cells: '- - - - all all',
    key: 'live',
    routes: {
      'GET /secure-api/cameras/:id/alignment/picture/': { of: 'camera', ok: 'camera_not_live' },
    },
  },
  {
    resource: 'cameras: add the demo, where there is none',
    cells: '- - - - all all',
    routes: { 'POST /secure-api/setup/demo-camera/': { ok: 'demo_not_available' } },
  },
  {
    resource: 'groups of cameras, as far as one sees cameras in them',
    cells: '- vis vis all all all',
    routes: {
      'GET /secure-api/cameras/groups/': { of: 'camera group' },
      'GET /secure-api/cameras/groups/:id/': { of: 'camera group' },
    },
  },
  {
    resource: 'layouts of the wall: one’s own',
    cells: '- own own own own own',
    routes: {
      'GET /secure-api/cameras/layouts/': { of: 'wall layout' },
      'GET /secure-api/cameras/layouts/:id/': { of: 'wall layout' },
      'PUT /secure-api/cameras/layouts/:id/': { of: 'wall layout', body: changedLayout },
      'DELETE /secure-api/cameras/layouts/:id/': { of: 'wall layout' },
    },
  },
  {
    resource: 'layouts of the wall: to add, with cameras one sees',
    cells: '- vis vis all all all',
    routes: {
      'POST /secure-api/cameras/layouts/': {
        of: 'camera',
        body: (_caller, { id }) => layoutOf(id),
      },
    },
  },
  {
    resource: 'layouts of the wall: shared ones, to read',
    cells: '- all all all all all',
    routes: {
      'GET /secure-api/cameras/layouts/': { of: 'shared wall layout' },
      'GET /secure-api/cameras/layouts/:id/': { of: 'shared wall layout' },
    },
  },
  {
    // Who may not change them may read them, so that what does not exist is no secret.
    resource: 'layouts of the wall: shared ones, to change',
    cells: '- 403 403 403 all all',
    routes: {
      'PUT /secure-api/cameras/layouts/:id/': { of: 'shared wall layout', body: changedLayout },
      'DELETE /secure-api/cameras/layouts/:id/': { of: 'shared wall layout' },
    },
  },
  {
    resource: 'recordings, of cameras with that capability',
    cells: '- vis vis all all all',
    routes: {
      'GET /secure-api/recordings/': { of: 'recording', query: everything },
      'GET /secure-api/recordings/:id/': { of: 'recording' },
      'GET /secure-api/recordings/:id/thumbnail/': { of: 'recording', ok: 'recording_not_found' },
      'GET /secure-api/cameras/:id/thumbnail/': {
        of: 'camera',
        ok: 'recording_not_found',
      },
      'GET /secure-api/cameras/:id/still/': {
        of: 'camera',
        query: '?at=2020-01-15T10%3A00%3A00Z',
        ok: 'recording_not_found',
      },
      'GET /secure-api/cameras/:id/stills/': { of: 'camera' },
      'GET /secure-api/recordings/:id/download/': { of: 'recording', ok: 'export_failed' },
      'POST /secure-api/recordings/:id/export/': { of: 'recording' },
      'POST /secure-api/recordings/exports/': { of: 'camera', body: anHour },
      'POST /secure-api/recordings/exports/estimate/': { of: 'camera', body: anHour },
      'POST /secure-api/cameras/:id/playback/': {
        of: 'camera',
        body: { from: '2020-01-15T10:00:00Z', until: '2020-01-15T11:00:00Z' },
        ok: 'recording_not_found',
      },
      'GET /secure-api/recordings/stats/': { of: 'camera', query: '?camera=:id' },
      'GET /secure-api/recordings/newest/': { of: 'camera', query: '?camera=:id' },
      'GET /secure-api/recordings/:id/segments/': { of: 'recording' },
      'GET /secure-api/recordings/segments/:id/file/': { of: 'segment' },
      'GET /secure-api/cameras/:id/recording_settings/': { of: 'camera' },
      'GET /secure-api/cameras/:id/timeline/': { of: 'camera' },
      'GET /secure-api/cameras/:id/bookmarks/': { of: 'camera' },
      'POST /secure-api/cameras/:id/bookmarks/': {
        of: 'camera',
        body: { at: '2026-01-15T10:00:00Z', note: 'A parcel' },
      },
      'GET /secure-api/cameras/:id/recorded_days/': { of: 'camera' },
      'GET /secure-api/cameras/:id/motion_search/': { of: 'camera' },
      'GET /secure-api/recordings/timelines/': { of: 'camera', query: '?cameras=:id' },
    },
  },
  {
    resource: 'bookmarks of recordings: to delete',
    cells: '- own own own all all',
    routes: { 'DELETE /secure-api/recordings/bookmarks/:id/': { of: 'bookmark' } },
  },
  {
    // Exports belong to their makers; a user who may not see the camera any more gets none.
    resource: 'exports of recordings, those one asked for',
    cells: '- own own all all all',
    routes: {
      'GET /secure-api/recordings/exports/': { of: 'export' },
      'GET /secure-api/recordings/exports/:id/': { of: 'export' },
      'DELETE /secure-api/recordings/exports/:id/': { of: 'export' },
      'GET /secure-api/recordings/exports/:id/file/': { of: 'export', ok: 'export_not_ready' },
      'POST /secure-api/recordings/exports/:id/ticket/': { of: 'export', ok: 'export_not_ready' },
    },
  },
  {
    // No caller is asked who they are: a ticket says it, and there is none here.
    resource: 'what a ticket plays',
    cells: 'all all all all all all',
    routes: {
      'GET /secure-api/playback/index.m3u8': { query: '?ticket=none', ok: 'playback_ended' },
      'GET /secure-api/recordings/exports/download/': {
        query: '?ticket=none',
        ok: 'playback_ended',
      },
      'GET /secure-api/playback/segment.mp4': {
        query: `?ticket=none&id=${unknownId}`,
        ok: 'playback_ended',
      },
      'GET /secure-api/playback/silent/head.mp4': {
        query: `?ticket=none&id=${unknownId}&sound=${unknownId}`,
        ok: 'playback_ended',
      },
      'GET /secure-api/playback/silent/file.m4s': {
        query: `?ticket=none&id=${unknownId}&sound=${unknownId}`,
        ok: 'playback_ended',
      },
      'GET /secure-api/playback/masked/head.mp4': {
        query: `?ticket=none&id=${unknownId}&from=0`,
        ok: 'playback_ended',
      },
      'GET /secure-api/playback/masked/part.m4s': {
        query: `?ticket=none&id=${unknownId}&from=0`,
        ok: 'playback_ended',
      },
    },
  },
  {
    resource: 'what settings of recording would lead to, and what is evidence: to read',
    cells: '- - - all all all',
    routes: {
      'POST /secure-api/cameras/:id/recording_settings/forecast/': { of: 'camera', body: {} },
      'GET /secure-api/recordings/holds/': { of: 'hold' },
      'GET /secure-api/recordings/deleted_cameras/': {},
    },
  },
  {
    resource: 'when a camera is recorded, and what is evidence: to change',
    cells: '- - - - all all',
    routes: {
      'PATCH /secure-api/cameras/:id/recording_settings/': {
        of: 'camera',
        body: { retentionDays: 7 },
      },
      'PATCH /secure-api/cameras/:id/toggle_recording/': {
        of: 'camera',
        body: { is_recording: true },
        ok: 'camera_url_missing',
      },
      'POST /secure-api/cameras/:id/test_recording/': { of: 'camera', ok: 'camera_url_missing' },
      'DELETE /secure-api/recordings/:id/': {
        of: 'recording',
        body: { password: testPassword },
      },
      'POST /secure-api/recordings/holds/': {
        of: 'camera',
        body: (_caller, { id: camera }) => ({
          camera,
          from: '2026-01-15T10:00:00Z',
          until: '2026-01-15T11:00:00Z',
          reason: 'A break-in',
        }),
      },
      'DELETE /secure-api/recordings/holds/:id/': { of: 'hold' },
    },
  },
];
