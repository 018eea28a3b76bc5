/** WebKitGTK is built without WebRTC, and Firefox lets it be switched off: there is nothing to offer then. */
export const hasPeers = (): boolean => 'RTCPeerConnection' in globalThis;
