/** Limits of connections. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Further connections are rejected. */
  readonly connections: number
  /** For a TLS handshake. */
  readonly handshake: number
  /** For the head of a request to arrive, from its first byte or the start of the connection on. */
  readonly headers: number
  /** For a whole request to arrive, with its body. Does not limit the response: a watch may last for ever. */
  readonly request: number
  /** A connection without a request is closed after this. */
  readonly idle: number
  /** A client that reads nothing of a waiting response for so long is disconnected. */
  readonly stall: number
  /** Size of the request line and headers. */
  readonly headerBytes: number
  /** Concurrent requests of one HTTP/2 connection. */
  readonly streams: number
  /** How long `close` waits for running requests. */
  readonly grace: number
}

export const defaultLimits: Limits = {
  connections: 20_000,
  handshake: 10_000,
  headers: 32_000,
  request: 60_000,
  idle: 90_000,
  stall: 60_000,
  headerBytes: 1 << 20,
  streams: 250,
  grace: 10_000,
}
