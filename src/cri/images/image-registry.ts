import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Image } from './image.js'
import { type Blob, packImage } from './image-archive.js'

/** A registry on the loopback address that has a few images and takes none. */
export interface ImageRegistry {
  /** `http://127.0.0.1:40123` */
  readonly url: string
  close(): Promise<void>
}

/** Repository and tag of `docker.io/proa/hello:1` are `proa/hello` and `1`: a registry does not know by which name it is reached. */
const namePattern = /^[^/]+\/(.+):([^:/]+)$/
const pathPattern = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/

/**
 * Serves images in the words of the OCI distribution specification, so that a runtime pulls them as it pulls any others. They are made when
 * somebody asks for one: images of no use to anyone cost nothing.
 */
export async function serveImages(make: () => Promise<readonly Image[]>): Promise<ImageRegistry> {
  const shelf = new BlobIndex(make)
  const server = createServer((request, response) => {
    handleRequest(shelf, request, response).catch((error: Error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** What there is, by the paths under which it is asked for. */
class BlobIndex {
  readonly #make: () => Promise<readonly Image[]>
  #blobs: Promise<ReadonlyMap<string, Blob>> | undefined

  constructor(make: () => Promise<readonly Image[]>) {
    this.#make = make
  }

  async find(path: string): Promise<Blob | undefined> {
    this.#blobs ??= this.#fill()
    return (await this.#blobs).get(path)
  }

  async #fill(): Promise<ReadonlyMap<string, Blob>> {
    const packed = await Promise.all((await this.#make()).map(packImage))
    const shelf = new Map<string, Blob>()
    for (const { names, manifest, blobs } of packed)
      for (const name of names) {
        const [, repository, tag] = namePattern.exec(name) ?? []
        shelf.set(`${repository}/manifests/${tag}`, manifest)
        shelf.set(`${repository}/manifests/${manifest.digest}`, manifest)
        for (const blob of blobs) shelf.set(`${repository}/blobs/${blob.digest}`, blob)
      }
    return shelf
  }
}

async function handleRequest(
  shelf: BlobIndex,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(url, 'http://registry')
  if (method !== 'GET' && method !== 'HEAD') return respondWithError(response, 405, 'UNSUPPORTED')
  if (pathname === '/v2/') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const [, repository, what, reference] = pathPattern.exec(pathname) ?? []
  const blob = await shelf.find(`${repository}/${what}/${reference}`)
  if (!blob) return respondWithError(response, 404, what === 'blobs' ? 'BLOB_UNKNOWN' : 'MANIFEST_UNKNOWN')
  response.writeHead(200, {
    'content-type': blob.mediaType,
    'content-length': blob.size,
    'docker-content-digest': blob.digest,
  })
  if (method === 'HEAD') return void response.end()
  await pipeline(Readable.from(blob.chunks()), response)
}

function respondWithError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ errors: [{ code }] }))
}
