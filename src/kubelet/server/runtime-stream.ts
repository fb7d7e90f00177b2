/** Channels of the Kubernetes remote command protocol. */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const

/** The streams of a command that the client wants. */
export interface StreamOptions {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

/** Receives the output of a container. The status of the command is the last frame. */
export interface StreamListener {
  frame(channel: number, bytes: Buffer): void
  /** Called after the last frame. */
  end(): void
}

/** A connection to a container, over any protocol. */
export interface RuntimeStream {
  listen(listener: StreamListener): void
  /** Calls `sent` when the bytes have been written. */
  send(channel: number, bytes: Buffer, sent: () => void): void
  /** Closes the command's input; output continues. */
  endInput(): void
  /** Stops output until `resume`. */
  pause(): void
  resume(): void
  close(): void
}

/** The runtime does not support the protocol. */
export class ProtocolUnsupportedError extends Error {
  override readonly name = 'NotSpoken'
}
