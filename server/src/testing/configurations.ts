/**
 * Configurations as the documentation of Frigate and go2rtc describes them, of several versions. Every secret in them
 * contains the word S3cret.
 */

/** Frigate 0.13: retention by `retain` and `events`, masks in pixels, one input for everything. */
export const frigate13 = `
mqtt:
  host: mqtt.example.org
  user: nvr
  password: S3cretMqtt
detectors:
  coral: { type: edgetpu, device: usb }
ffmpeg:
  hwaccel_args: preset-vaapi
  output_args:
    record: preset-record-generic-audio-aac
record:
  enabled: true
  retain: { days: 7, mode: all }
  events:
    pre_capture: 10
    retain: { default: 30, mode: active_objects, objects: { person: 60 } }
snapshots: { enabled: true, retain: { default: 14 } }
objects: { track: [person, dog] }
cameras:
  yard:
    ffmpeg:
      inputs:
        - path: rtsp://viewer:S3cretYard@192.168.1.20/main
          roles: [detect, record, rtmp]
    detect: { width: 1280, height: 720, fps: 5 }
    motion:
      threshold: 30
      mask:
        - 0,0,1280,0,1280,180,0,180
        - 640,540,1280,540,1280,720,640,720
    objects:
      mask: 0,0,200,0,200,200
      filters: { person: { min_area: 5000, mask: "0,0,100,0,100,100" } }
    zones:
      drive:
        coordinates: 0,720,0,360,640,360,640,720
        objects: [person]
    ui: { order: 2 }
  cellar:
    ffmpeg:
      inputs:
        - path: rtsp://viewer:S3cretCellar@192.168.1.21/main
          roles: [detect, record]
      output_args: { record: -f segment -c copy -an }
    record: { enabled: false }
    detect: { enabled: false }
    motion: { mask: "0,0,400,0,400,400" }
`;

/** Frigate 0.16: fractions, alerts and detections, restreams, ONVIF, groups. */
export const frigate16 = `
version: 0.16-0
mqtt: { enabled: false }
auth: { enabled: true, failed_login_rate_limit: 1/second }
environment_vars: { FRIGATE_HALL: S3cret/Hall }
go2rtc:
  streams:
    hall:
      - rtsp://viewer:{FRIGATE_HALL}@192.168.1.30/main#backchannel=0#timeout=30
      - ffmpeg:hall#audio=opus
    hall_sub: rtsp://viewer:{FRIGATE_HALL}@192.168.1.30/sub
    spare: rtsp://viewer:S3cretSpare@192.168.1.39/main
  webrtc: { candidates: [ "192.168.1.5:8555" ] }
face_recognition: { enabled: true, min_area: 750 }
detect: { enabled: true, width: 1280, height: 720 }
record:
  enabled: true
  retain: { days: 0 }
  alerts: { pre_capture: 5, retain: { days: 30, mode: motion } }
  detections: { retain: { days: 14 } }
review: { alerts: { labels: [person] } }
camera_groups:
  Inside: { order: 1, icon: LuHouse, cameras: [hall, attic] }
  Screen: { cameras: [birdseye, hall] }
cameras:
  hall:
    friendly_name: Hall
    ffmpeg:
      inputs:
        - path: rtsp://127.0.0.1:8554/hall
          input_args: preset-rtsp-restream
          roles: [record]
        - path: rtsp://127.0.0.1:8554/hall_sub
          input_args: preset-rtsp-restream
          roles: [detect]
    motion: { mask: "0.000,0.500,1.000,0.500,1.000,1.000,0.000,1.000" }
    onvif: { host: 192.168.1.30, port: 8000, user: viewer, password: "{FRIGATE_HALL}", autotracking: { enabled: true } }
    live: { streams: { Main: hall } }
    audio: { enabled: true, listen: [scream] }
    notifications: { enabled: true, email: S3cret@example.org }
  attic:
    enabled: false
    ffmpeg:
      inputs:
        - { path: "rtsp://viewer:S3cretAttic@192.168.1.31/main", roles: [record, detect] }
    face_recognition: { enabled: false }
    record: { retain: { days: 2.5, mode: motion } }
    onvif: { host: 192.168.1.99, user: admin, password: S3cretOnvif }
`;

/** Frigate 0.17: \`continuous\` and \`motion\`, masks with names, profiles, a second recording, an unknown setting. */
export const frigate17 = `
version: 0.17-0
record:
  enabled: true
  continuous: { days: 3 }
  motion: { days: 7 }
  alerts: { retain: { days: 30, mode: all } }
  sub: { enabled: true, continuous: { days: 60 } }
profiles: { away: { friendly_name: Away } }
cameras:
  gate:
    ffmpeg:
      inputs:
        - { path: "rtsp://viewer:S3cretGate@192.168.1.40/main", roles: [record, detect] }
        - { path: "rtsp://viewer:S3cretGate@192.168.1.40/small", roles: [record_sub] }
    motion:
      mask:
        tree: { friendly_name: Tree, coordinates: "0,0,0.25,0,0.25,1,0,1" }
        flag: { enabled: false, coordinates: "0.5,0,1,0,1,1,0.5,1" }
    profiles: { away: { record: { enabled: false } } }
    birdseye: { enabled: false, order: 3 }
    lasers: { colour: red, code: S3cretCode, on: true }
  porch:
    ffmpeg:
      inputs:
        - { path: "rtsp://viewer:S3cretPorch@192.168.1.41/main", roles: [detect] }
    motion: { mask: [ "0,0,1,0,1,1,0,1" ] }
`;

/** go2rtc with several sources to a stream, options, and what it does beside being a source. */
export const go2rtcHouse = `
api: { listen: ":1984", username: admin, password: S3cretApi, origin: "*" }
rtsp: { listen: ":8554", password: S3cretRtsp }
preload: { yard: "video" }
publish:
  yard: [ "rtmps://live.example.org/s/S3cretKey" ]
homekit: { yard: { pin: 12345678 } }
streams:
  yard:
    - rtsp://admin:S3cretYard@10.0.0.6/live#backchannel=0#transport=udp
    - ffmpeg:yard#video=copy#audio=opus
  pool: ffmpeg:rtsp://admin:S3cretPool@10.0.0.7/live#video=copy#audio=aac
  bell: exec:ffmpeg -i rtsp://admin:S3cretBell@10.0.0.8/live -f rtsp {output}
  empty:
`;

/** go2rtc with variables, and sources of other kinds. */
export const go2rtcOthers = `
log: { level: debug }
webrtc: { listen: ":8555", ice_servers: [ { urls: [ "turn:t.example.org" ], username: u, credential: S3cretTurn } ] }
streams:
  hall: rtsp://\${HALL_USER:admin}:\${HALL_PASSWORD:S3cretHall}@10.0.0.5/ch1
  protect: rtspx://10.0.0.9:7441/S3cretToken
  found: onvif://admin:S3cretOnvif@10.0.0.10?subtype=MediaProfile00000
  doorbell: webrtc:ws://10.0.0.11/S3cretSocket
  lift: ffmpeg:rtsp://admin:S3cretLift@10.0.0.12/1#video=h264#hardware
`;
