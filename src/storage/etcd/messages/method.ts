import type { Buffer } from 'node:buffer'

/** One remote procedure of etcd: where it is called, and how its messages look on the wire. */
export interface EtcdMethod<Request, Response> {
  readonly path: string
  readonly encode: (request: Request) => Buffer
  readonly decode: (message: Buffer) => Response
}
