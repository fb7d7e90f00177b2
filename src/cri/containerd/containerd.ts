import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { FolderHold } from '../../base/folder-hold.js'
import { type CriClient, connectCri } from '../client.js'
import { isCriError } from '../cri-error.js'
import type { Image } from '../images/image.js'
import { packImage } from '../images/image-archive.js'
import { pauseImage, pauseImageName } from '../images/pause-image.js'
import { type ContainerdPaths, containerdConfiguration, containerdPaths } from './configuration.js'
import type { CtrOptions } from './ctr.js'
import { cgroupMode, mayLowerOomScore } from './host-capabilities.js'
import { exportImage, importImages, waitUntilVisible } from './image-transfer.js'
import { clearLeftovers, containerdsOn, removeDeadSockets, shimSockets } from './leftovers.js'
import { containerPackages, installPackages } from './packages.js'
import { endProcesses } from './processes.js'
import { type ContainerPrograms, findPrograms } from './programs.js'
import { SupervisedProcess } from './supervised-process.js'

export interface ContainerdOptions {
  /** Holds all files of this containerd. Containers of an earlier containerd in this folder are adopted. */
  readonly folder: string
  readonly environment: Environment
  /** Whether missing programs may be installed from the distribution's packages. */
  readonly install?: boolean
  /** Whether to restart containerd when it dies; true by default. */
  readonly restart?: boolean
  /** Folder of the CNI configuration; `net.d` in `folder` by default. */
  readonly networkFolder?: string
}

export interface CloseOptions {
  /** `end` (the default) stops and removes all containers; `keep` lets them run for the next start. */
  readonly containers?: 'end' | 'keep'
}

/** The kernel's limit for Unix sockets, minus the suffix that containerd appends. */
const maxSocketPathLength = 107 - '.ttrpc'.length
const startTimeout = 60_000
const stopGracePeriod = 5_000

/** Starts a private containerd that shares nothing with another one on this host. Resolves when it can run pods. */
export async function startContainerd(options: ContainerdOptions): Promise<Containerd> {
  if (process.getuid?.() !== 0) throw new Error('running containers requires root')
  const folder = resolve(options.folder)
  const paths = containerdPaths(folder)
  if (paths.socket.length > maxSocketPathLength) throw new Error(`${folder} is too long a path for a socket`)
  const programs = await findOrInstall(options)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const hold = await FolderHold.take(folder, 'containerd')
  if (!hold) throw new Error(`${folder} is in use by another process`)
  const containerd = new Containerd(options, { paths, programs, hold })
  try {
    await containerd.start()
    return containerd
  } catch (error) {
    await containerd.abandon()
    throw error
  }
}

async function findOrInstall({ install = false, environment }: ContainerdOptions): Promise<ContainerPrograms> {
  let programs = findPrograms()
  if ('missing' in programs && install) {
    environment.log.info('Installing container packages', {
      packages: containerPackages,
    })
    await installPackages(containerPackages)
    programs = findPrograms()
  }
  if ('missing' in programs)
    throw new Error(`running containers requires ${programs.missing.join(', ')}; install it first`)
  return programs.found
}

/** Whether containerd does not listen yet, or still recovers the state of its last run. */
function isStarting(failure: Error): boolean {
  return isCriError(failure, 'Unavailable') || /server is not initialized yet/.test(failure.message)
}

interface ContainerdDependencies {
  readonly paths: ContainerdPaths
  readonly programs: ContainerPrograms
  readonly hold: FolderHold
}

/** A private containerd. */
export class Containerd implements AsyncDisposable {
  readonly runtime: CriClient
  readonly networkFolder: string
  /** Folder with `<host>/hosts.toml` for each registry. containerd reads it on every pull. */
  readonly registryFolder: string
  readonly programs: ContainerPrograms
  readonly #paths: ContainerdPaths
  readonly #hold: FolderHold
  readonly #environment: Environment
  readonly #process: SupervisedProcess
  /** Sockets of the shims of a dead containerd. The next containerd ends unused shims, but does not remove their sockets. */
  readonly #shimSockets = new Set<string>()

  constructor(
    { networkFolder, environment, restart = true }: ContainerdOptions,
    { paths, programs, hold }: ContainerdDependencies,
  ) {
    this.programs = programs
    this.networkFolder = networkFolder ?? join(paths.folder, 'net.d')
    this.registryFolder = join(paths.folder, 'registries')
    this.#paths = paths
    this.#hold = hold
    this.#environment = environment
    this.runtime = connectCri({ endpoint: this.endpoint, environment })
    const args = ['--config', paths.configuration]
    const beforeStart = () => this.#recordShimSockets()
    this.#process = new SupervisedProcess({
      program: programs.containerd,
      args,
      log: paths.log,
      environment,
      restart,
      beforeStart,
    })
  }

  #recordShimSockets(): void {
    removeDeadSockets(this.#shimSockets)
    for (const socket of shimSockets(this.#paths)) this.#shimSockets.add(socket)
  }

  /** The CRI endpoint for the kubelet. */
  get endpoint(): string {
    return `unix://${this.#paths.socket}`
  }

  get folder(): string {
    return this.#paths.folder
  }

  get logFile(): string {
    return this.#paths.log
  }

  /** Undefined while containerd does not run. */
  get pid(): number | undefined {
    return this.#process.pid
  }

  async start(): Promise<void> {
    const { clock } = this.#environment
    await endProcesses(containerdsOn(this.#paths), clock, stopGracePeriod)
    mkdirSync(this.networkFolder, { recursive: true })
    mkdirSync(this.registryFolder, { recursive: true })
    const { networkFolder, registryFolder, programs } = this
    const configuration = containerdConfiguration({
      paths: this.#paths,
      programs,
      sandboxImage: pauseImageName,
      networkFolder,
      registryFolder,
      mayLowerOomScore: mayLowerOomScore(),
    })
    writeFileSync(this.#paths.configuration, configuration, { mode: 0o600 })
    await this.#process.start()
    await this.untilReady()
    const { image } = await this.runtime.imageStatus({ image: { image: pauseImageName } })
    if (!image) await this.addImages([pauseImage()])
    const { folder, pid } = this
    this.#environment.log.info('Private containerd started', { folder, pid, cgroups: cgroupMode() })
  }

  /** Resolves when containerd responds. Rejects with its last log lines if it died, or does not respond within a minute. */
  async untilReady(): Promise<void> {
    const { clock } = this.#environment
    const deadline = clock.monotonic() + startTimeout
    for (;;) {
      const failure = await this.runtime.status({}, { timeout: startTimeout }).then(
        () => undefined,
        (error: Error) => error,
      )
      if (!failure) return
      if (!this.#process.alive) throw new Error(`containerd exited:\n${this.#process.lastLogLines()}`)
      if (clock.monotonic() > deadline || !isStarting(failure))
        throw new Error(`containerd is not usable: ${failure.message}\n${this.#process.lastLogLines()}`)
      await sleep(clock, 10)
    }
  }

  /** Imports images that this process created. */
  async addImages(images: readonly Image[]): Promise<void> {
    const { clock } = this.#environment
    await importImages(this.#ctr, { images: await Promise.all(images.map(packImage)), clock })
    const names = images.flatMap((image) => image.names)
    await waitUntilVisible(this.runtime, names, clock)
  }

  exportImage(name: string, archive: string): Promise<void> {
    return exportImage(this.#ctr, name, archive)
  }

  get #ctr(): CtrOptions {
    return { ctr: this.programs.ctr, socket: this.#paths.socket }
  }

  /** Stops containerd, and its containers unless they are to be kept. */
  async close({ containers = 'end' }: CloseOptions = {}): Promise<void> {
    if (containers === 'end' && this.#process.alive) await this.#endContainers()
    await this.#process.stop()
    this.runtime.close()
    const { clock } = this.#environment
    if (containers === 'end') await clearLeftovers(this.#paths, this.programs.runc, clock)
    removeDeadSockets(this.#shimSockets)
    await this.#hold.release()
  }

  /** Cleans up after a failed start. Containers of an earlier containerd stay for the next attempt. */
  async abandon(): Promise<void> {
    await this.close({ containers: 'keep' })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Stops pods through CRI, so that CNI releases their addresses. `clearLeftovers` removes what remains. */
  async #endContainers(): Promise<void> {
    const { items } = await this.runtime.listPodSandbox({})
    const removals = items.map(async ({ id }) => {
      await this.runtime.stopPodSandbox({ podSandboxId: id })
      await this.runtime.removePodSandbox({ podSandboxId: id })
    })
    for (const result of await Promise.allSettled(removals))
      if (result.status === 'rejected') this.#environment.log.warn('Sandbox removal failed', { error: result.reason })
  }
}
