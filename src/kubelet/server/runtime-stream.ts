/** The channels of Kubernetes' protocol for remote commands. */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const

/** What of a command its client wants to have in hand. */
export interface StreamOptions {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

/** Who hears what comes out of a container. Frames come one after the other, the status of the command last. */
export interface StreamListener {
  frame(channel: number, bytes: Buffer): void
  /** Nothing comes any more. */
  end(): void
}

/** An open way into a container, whichever protocol leads there. */
export interface RuntimeStream {
  listen(listener: StreamListener): void
  /** `sent` is called when the bytes have left. */
  send(channel: number, bytes: Buffer, sent: () => void): void
  /** The command's input is over; the rest goes on. */
  endInput(): void
  /** Nothing is heard until `resume`: the listener has enough to do. */
  pause(): void
  resume(): void
  close(): void
}

/** The runtime answered, and not in the protocol that was asked for. */
export class ProtocolUnsupportedError extends Error {
  override readonly name = 'NotSpoken'
}
