import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Environment } from '../../base/environment.js'
import type { ApiRequest } from '../request/request-context.js'
import type { Limits } from './limits.js'
import type { RequestHandler } from './responder.js'

export interface ServeOptions {
  readonly handle: RequestHandler
  /** Handles upgrade requests. Without it they are ordinary requests. */
  readonly upgrade?: (request: ApiRequest, socket: Duplex, head: Buffer) => void
  readonly tls: ServerTlsOptions
  /** 0: any free port. */
  readonly port: number
  /** An unspecified address (`0.0.0.0`, `::`) means every address of either family. */
  readonly address: string
  readonly environment: Environment
  readonly limits?: Partial<Limits>
  /** Called with each new connection, before its handshake. */
  readonly onConnection?: ((socket: Socket) => void) | undefined
  /** Whether the server leaves the process free to exit. Otherwise it keeps the process alive until it is closed. */
  readonly isBackground?: boolean | undefined
  /** Fast paths (`docs/fast-paths.md`); on by default. */
  readonly plainHttp?: boolean | undefined
  readonly requestBatches?: boolean | undefined
}

/** All in PEM form. */
export interface ServerTlsOptions {
  readonly key: string | Buffer
  readonly cert: string | Buffer
  /** The CA of client certificates. Without it, the server requests none. */
  readonly clientCa?: string | Buffer
}

export interface ListeningServer extends AsyncDisposable {
  readonly port: number
  readonly address: string
  readonly connections: number
  /** Replaces the certificates for later handshakes. */
  setTls(tls: ServerTlsOptions): void
  /**
   * Accepts no more connections and requests, waits for running requests up to the grace period, then cuts off the rest. A second call may
   * shorten the grace period. The caller ends long responses such as watches first, or they are cut off.
   */
  close(grace?: number): Promise<void>
}
