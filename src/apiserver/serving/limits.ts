/** What a client may ask of a connection. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Beyond these, new connections are refused. */
  readonly connections: number
  /** For a TLS handshake. */
  readonly handshake: number
  /** For the head of a request to arrive, from its first byte or the start of the connection on. */
  readonly headers: number
  /** For a whole request to arrive, its body included. What the answer takes is no concern of this: a watch may last for ever. */
  readonly request: number
  /** A connection without a request is closed after this. */
  readonly idle: number
  /** A client that takes nothing of what waits for it for so long is cut off. */
  readonly stall: number
  /** Of a request's head. */
  readonly headerBytes: number
  /** Requests at the same time on one connection of HTTP/2. */
  readonly streams: number
  /** How long `close` waits for requests that are being answered. */
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
