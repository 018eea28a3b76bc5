/** The multicast group at which ONVIF cameras listen for probes (WS-Discovery 1.0, section 2.4). */
export const multicast = { address: '239.255.255.250', port: 3702 } as const;
