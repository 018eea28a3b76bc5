/** WebRTC as a browser has it and jsdom does not: a test says what the connection comes to. */
export class FakePeerConnection extends EventTarget {
  static readonly made: FakePeerConnection[] = [];

  connectionState: RTCPeerConnectionState = 'new';
  localDescription: { type: string; sdp: string } | null = null;
  /** The answer that was taken. */
  answer: string | null = null;
  isClosed = false;

  constructor() {
    super();
    FakePeerConnection.made.push(this);
  }

  addTransceiver(kind: string, { direction }: { direction: string }) {
    this.localDescription = { type: 'offer', sdp: `offer ${kind} ${direction}` };
    return { receiver: { jitterBufferTarget: null } };
  }

  setLocalDescription(): Promise<void> {
    return Promise.resolve();
  }

  setRemoteDescription({ sdp }: { sdp: string }): Promise<void> {
    this.answer = sdp;
    return Promise.resolve();
  }

  close(): void {
    this.isClosed = true;
  }

  becomes(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }

  /** A track begins. */
  gives(track: object): void {
    this.dispatchEvent(Object.assign(new Event('track'), { track }));
  }
}

export function fakePeers(): void {
  FakePeerConnection.made.length = 0;
  const fakes = {
    RTCPeerConnection: FakePeerConnection,
    MediaStream: class {
      readonly tracks: readonly object[];
      constructor(tracks: readonly object[]) {
        this.tracks = tracks;
      }
    },
  };
  Object.assign(globalThis, fakes);
}

/** A browser without WebRTC: it was built without it, or its user switched it off. */
export function noPeers(): void {
  Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
}
