import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Environment } from '../../base/environment.js'
import type { ApiRequest } from '../request/request-context.js'
import type { Limits } from './limits.js'
import type { RequestHandler } from './responder.js'

export interface ServeOptions {
  readonly handle: RequestHandler
  /** Requests to leave HTTP/1.1 for another protocol. Without this they are ordinary requests. */
  readonly upgrade?: (request: ApiRequest, socket: Duplex, head: Buffer) => void
  readonly tls: ServerTlsOptions
  /** 0: any that is free. */
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
  /** Whose signature makes a client's certificate count. Without it, none is asked for. */
  readonly clientCa?: string | Buffer
}

export interface ListeningServer extends AsyncDisposable {
  readonly port: number
  readonly address: string
  readonly connections: number
  /** For handshakes from now on. */
  setTls(tls: ServerTlsOptions): void
  /**
   * Takes no more connections and requests, lets those that are being answered end within the grace period, then cuts off the
   * rest. Called again, it may cut the grace period short. Whoever feeds long answers, such as watches, ends them first, or they are what is cut off.
   */
  close(grace?: number): Promise<void>
}
