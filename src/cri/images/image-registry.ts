import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Image } from './image.js'
import { type Blob, packImage } from './image-archive.js'

/** A read-only registry on the loopback address. */
export interface ImageRegistry {
  /** `http://127.0.0.1:40123` */
  readonly url: string
  close(): Promise<void>
}

/** Repository and tag of `docker.io/proa/hello:1` are `proa/hello` and `1`; a registry does not know its own host name. */
const namePattern = /^[^/]+\/(.+):([^:/]+)$/
const pathPattern = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/

/**
 * Serves images over the OCI distribution protocol, so that a runtime can pull them. The first pull creates them, so that unused images cost
 * nothing.
 */
export async function serveImages(createImages: () => Promise<readonly Image[]>): Promise<ImageRegistry> {
  const index = new BlobIndex(createImages)
  const server = createServer((request, response) => {
    handleRequest(index, request, response).catch((error: Error) => response.destroy(error))
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

/** Blobs by their path in the registry. */
class BlobIndex {
  readonly #createImages: () => Promise<readonly Image[]>
  #blobs: Promise<ReadonlyMap<string, Blob>> | undefined

  constructor(createImages: () => Promise<readonly Image[]>) {
    this.#createImages = createImages
  }

  async find(path: string): Promise<Blob | undefined> {
    this.#blobs ??= this.#fill()
    return (await this.#blobs).get(path)
  }

  async #fill(): Promise<ReadonlyMap<string, Blob>> {
    const packed = await Promise.all((await this.#createImages()).map(packImage))
    const byPath = new Map<string, Blob>()
    for (const { names, manifest, blobs } of packed)
      for (const name of names) {
        const [, repository, tag] = namePattern.exec(name) ?? []
        byPath.set(`${repository}/manifests/${tag}`, manifest)
        byPath.set(`${repository}/manifests/${manifest.digest}`, manifest)
        for (const blob of blobs) byPath.set(`${repository}/blobs/${blob.digest}`, blob)
      }
    return byPath
  }
}

async function handleRequest(
  index: BlobIndex,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(url, 'http://registry')
  if (method !== 'GET' && method !== 'HEAD') return respondWithError(response, 405, 'UNSUPPORTED')
  if (pathname === '/v2/') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const [, repository, what, reference] = pathPattern.exec(pathname) ?? []
  const blob = await index.find(`${repository}/${what}/${reference}`)
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
