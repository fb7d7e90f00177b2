import type { Buffer } from 'node:buffer'

/** One remote procedure of etcd: its path, and the encoding of its messages. */
export interface EtcdMethod<Request, Response> {
  readonly path: string
  readonly encode: (request: Request) => Buffer
  readonly decode: (message: Buffer) => Response
}
