import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blob as ImageBlob, PackedImage } from '../../cri/images/image-archive.js'

/** Who may pull from a registry with a password, and the same as `htpasswd -B` would write it. */
export const registryUser = { username: 'proa', password: 'correct horse' }
const passwordFile = 'proa:$2b$04$r/0SSNKxWcHkn07YoqYTR.ur0Cvg.ADljAjNqq28VuJYgRRdd2ZGK\n'

export interface RegistryOptions {
  /** Whether pulling takes `registryUser`. */
  readonly protected?: boolean
}

/** A registry of one's own: Debian's docker-registry on a loopback address, over plain HTTP. */
export class RegistryServer implements AsyncDisposable {
  /** As in the names of its images. */
  readonly host: string
  readonly url: string
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #authorization: Readonly<Record<string, string>>
  readonly #atExit = () => this.#child.kill('SIGKILL')

  private constructor(host: string, folder: string, options: RegistryOptions) {
    this.host = host
    this.url = `http://${host}`
    this.#folder = folder
    const { username, password } = registryUser
    const basic = Buffer.from(`${username}:${password}`).toString('base64')
    this.#authorization = options.protected ? { authorization: `Basic ${basic}` } : {}
    const env = { ...process.env, OTEL_TRACES_EXPORTER: 'none' }
    this.#child = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: 'ignore', env })
    process.on('exit', this.#atExit)
  }

  /** Resolves when it answers. */
  static async start(options: RegistryOptions = {}): Promise<RegistryServer> {
    const folder = mkdtempSync(join(tmpdir(), 'proa-registry-'))
    const host = nextHost()
    writeFileSync(join(folder, 'htpasswd'), passwordFile)
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'config.yml'), configuration(folder, host, options))
    const server = new RegistryServer(host, folder, options)
    while (!(await server.#answers())) await new Promise((resolve) => setTimeout(resolve, 20))
    return server
  }

  /** Puts an image there; gives its name, such as `127.0.0.1:5000/web:1`. */
  async push(image: PackedImage, repository: string, tag: string): Promise<string> {
    for (const blob of image.blobs) await this.#pushBlob(blob, repository)
    const response = await fetch(`${this.url}/v2/${repository}/manifests/${tag}`, {
      method: 'PUT',
      headers: { ...this.#authorization, 'content-type': image.manifest.mediaType },
      body: await bytesOf(image.manifest),
    })
    if (!response.ok) throw new Error(`the registry refuses ${repository}: ${await response.text()}`)
    return `${this.host}/${repository}:${tag}`
  }

  async close(): Promise<void> {
    process.off('exit', this.#atExit)
    if (this.#child.exitCode === null) {
      const gone = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await gone
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #answers(): Promise<boolean> {
    if (this.#child.exitCode !== null) throw new Error('docker-registry ended')
    return fetch(`${this.url}/v2/`).then(
      () => true,
      () => false,
    )
  }

  async #pushBlob(blob: ImageBlob, repository: string): Promise<void> {
    const headers = this.#authorization
    const begun = await fetch(`${this.url}/v2/${repository}/blobs/uploads/`, { method: 'POST', headers })
    const place = new URL(begun.headers.get('location') ?? '', this.url)
    place.searchParams.set('digest', blob.digest)
    const body = await bytesOf(blob)
    const type = { 'content-type': 'application/octet-stream' }
    const response = await fetch(place, { method: 'PUT', headers: { ...headers, ...type }, body })
    if (!response.ok) throw new Error(`the registry refuses ${blob.digest}: ${await response.text()}`)
  }
}

async function bytesOf(blob: ImageBlob): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of blob.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function configuration(folder: string, host: string, options: RegistryOptions): string {
  return JSON.stringify({
    version: '0.1',
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    http: { addr: host, secret: 'of no consequence' },
    ...(options.protected && { auth: { htpasswd: { realm: 'proa', path: join(folder, 'htpasswd') } } }),
  })
}

let registries = 0

/** All of 127.0.0.0/8 is this machine: each test process has an address of its own, made of its process id. */
function nextHost(): string {
  const id = process.pid % (1 << 22)
  return `127.${64 + (id >> 16)}.${(id >> 8) & 255}.${id & 255}:${25_000 + registries++}`
}
