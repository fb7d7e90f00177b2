import { chmodSync, chownSync, createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Environment } from '../../base/environment.js'
import { sha256Of } from '../images/archive/archive-scan.js'
import type { RunMount, RunRequest } from '../images/dockerfile/run-request.js'
import { fileContent } from '../images/file-content.js'
import type { FinishedLayer, Image } from '../images/image.js'
import { mediaTypes, packImage } from '../images/image-archive.js'
import { type CtrCall, CtrError, type CtrOptions, runCtr } from './ctr.js'
import { imageNames, importImages, removeNames } from './image-transfer.js'

export interface BuildContainerOptions extends CtrOptions {
  /** The state folder of runc; undefined for runc's default. */
  readonly runcState?: string | undefined
  /** Folder for layers and caches. The caller removes it. */
  readonly temporary: string
  /** Receives the output of the commands. */
  readonly output: Writable
  readonly environment: Environment
}

/** Separate from the namespace of Kubernetes, whose images and containers the kubelet collects. */
const namespace = 'proa-build'
const idPrefix = 'proa-build-'

/** Runs each command of a Dockerfile in its own container. `close` removes everything from containerd. */
export class BuildContainers implements AsyncDisposable {
  readonly #options: BuildContainerOptions
  readonly #id: string
  readonly #names: string[] = []
  readonly #containers = new Set<string>()
  readonly #closing = new AbortController()
  #steps = 0

  private constructor(options: BuildContainerOptions) {
    this.#options = options
    this.#id = `${idPrefix}${process.pid}-${options.environment.random.uuid().slice(0, 8)}`
  }

  /** First removes the containers and images of builds whose process is dead. */
  static async open(options: BuildContainerOptions): Promise<BuildContainers> {
    const containers = new BuildContainers(options)
    await containers.#removeDeadBuilds()
    return containers
  }

  /** Runs a command in a container of the image. Returns its changes as a layer. Rejects if the command fails. */
  async run(image: Image, request: RunRequest): Promise<FinishedLayer> {
    const step = this.#steps++
    const name = `localhost/${this.#id}:${step}`
    const id = `${this.#id}-${step}`
    this.#names.push(name)
    const { Cmd: _, ...config } = image.config
    const settings = { ...config, Entrypoint: request.command, Env: request.environment }
    const images = [await packImage({ ...image, names: [name], config: settings })]
    await importImages(this.#options, { images, namespace, clock: this.#options.environment.clock })
    this.#containers.add(id)
    try {
      await this.#runContainer(name, id, request)
      return await this.#changes(id, join(this.#options.temporary, `run-${step}.tar`))
    } finally {
      await this.#removeContainer(id)
    }
  }

  /** Kills a command that still runs. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the build was closed'))
    for (const id of this.#containers) await this.#removeContainer(id)
    await removeNames(this.#options, this.#names, namespace)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Uses the host network, because builds download packages. All other restrictions of containers apply. */
  async #runContainer(name: string, id: string, { mounts }: RunRequest): Promise<void> {
    const { runcState, output } = this.#options
    const args = [
      ...['run', '--net-host', '--seccomp', '--allow-new-privs', '--cgroup', ''],
      ...(runcState === undefined ? [] : ['--runc-root', runcState]),
      ...mounts.flatMap((mount) => ['--mount', this.#mountOption(mount)]),
      ...[name, id],
    ]
    try {
      await this.#ctr({ args, output, errors: output, signal: this.#closing.signal })
    } catch (error) {
      throw error instanceof CtrError ? commandError(error) : error
    }
  }

  #mountOption({ kind, target, id, mode, uid, gid }: RunMount): string {
    if (kind === 'tmpfs') return `type=tmpfs,src=tmpfs,dst=${target},options=rw`
    const folder = join(this.#options.temporary, `cache-${Buffer.from(id).toString('base64url')}`)
    if (!existsSync(folder)) {
      mkdirSync(folder)
      chmodSync(folder, mode)
      chownSync(folder, uid, gid)
    }
    return `type=bind,src=${folder},dst=${target},options=rbind:rw`
  }

  async #changes(id: string, file: string): Promise<FinishedLayer> {
    const args = ['snapshots', 'diff', '--media-type', mediaTypes.layer, id]
    await this.#ctr({ args, output: createWriteStream(file, { flags: 'wx', mode: 0o600 }) })
    const content = fileContent(file, statSync(file).size)
    const digest = `sha256:${await sha256Of(content.chunks())}`
    return { mediaType: mediaTypes.layer, digest, diffId: digest, content }
  }

  async #removeContainer(id: string): Promise<void> {
    for (const args of [
      ['tasks', 'rm', '--force', id],
      ['containers', 'rm', id],
    ])
      await this.#ctr({ args }).catch((error: Error) => {
        if (!/not found/.test(error.message)) throw error
      })
    this.#containers.delete(id)
  }

  async #removeDeadBuilds(): Promise<void> {
    const containers = await this.#ctr({ args: ['containers', 'ls', '--quiet'] })
    for (const id of containers.split('\n').filter(isOfDeadBuild)) await this.#removeContainer(id)
    const names = await imageNames(this.#options, namespace)
    await removeNames(this.#options, names.filter(isOfDeadBuild), namespace)
  }

  #ctr(call: Omit<CtrCall, 'namespace'>): Promise<string> {
    return runCtr(this.#options, { ...call, namespace })
  }
}

/** Whether a container or an image belongs to a build whose process is dead. */
function isOfDeadBuild(name: string): boolean {
  const [, pid] = /proa-build-(\d+)-/.exec(name) ?? []
  return pid !== undefined && !existsSync(`/proc/${pid}`)
}

function commandError({ message, exitCode, isFromCtr: isOwn }: CtrError): Error {
  if (!isOwn) return new Error(`the command failed with exit code ${exitCode}`)
  const [, program] = /exec: "([^"]+)": .*(?:no such file or directory|not found)/.exec(message) ?? []
  return new Error(
    program === undefined
      ? `the container failed to run: ${message}`
      : `the command needs ${program}, which the image does not have`,
  )
}
