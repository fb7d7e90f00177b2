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
  /** Everything of it is in there. What an earlier one left there, containers included, is taken over. */
  readonly folder: string
  readonly environment: Environment
  /** Whether programs that are missing may be installed from the distribution's packages. */
  readonly install?: boolean
  /** Whether it is started again when it dies. Yes, unless told. */
  readonly restart?: boolean
  /** Where the network configuration of pods is; `net.d` in the folder, unless told. */
  readonly networkFolder?: string
}

export interface CloseOptions {
  /** What becomes of the containers: they are ended and removed, unless told to keep them for the next time. */
  readonly containers?: 'end' | 'keep'
}

/** Unix sockets have short names, and `.ttrpc` is added to this one. */
const maxSocketPathLength = 107 - '.ttrpc'.length
const startTimeout = 60_000
const stopGracePeriod = 5_000

/** Starts a containerd of one's own, with nothing in common with one that the machine runs. Resolves when it can run pods. */
export async function startContainerd(options: ContainerdOptions): Promise<Containerd> {
  if (process.getuid?.() !== 0) throw new Error('running containers takes root')
  const folder = resolve(options.folder)
  const paths = containerdPaths(folder)
  if (paths.socket.length > maxSocketPathLength) throw new Error(`${folder} is too long a path for the socket in it`)
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
    environment.log.info('Installing what runs containers from the distribution’s packages', {
      packages: containerPackages,
    })
    await installPackages(containerPackages)
    programs = findPrograms()
  }
  if ('missing' in programs) throw new Error(`to run containers, ${programs.missing.join(', ')} must be installed`)
  return programs.found
}

/** It is not there yet, or is there and still looks around for what it left when it last ended. */
function isStarting(failure: Error): boolean {
  return isCriError(failure, 'Unavailable') || /server is not initialized yet/.test(failure.message)
}

interface ContainerdDependencies {
  readonly paths: ContainerdPaths
  readonly programs: ContainerPrograms
  readonly hold: FolderHold
}

/** A containerd that is ours alone. */
export class Containerd implements AsyncDisposable {
  readonly runtime: CriClient
  readonly networkFolder: string
  /** `<host>/hosts.toml` in it tells how a registry is reached; containerd looks each time. */
  readonly registryFolder: string
  readonly programs: ContainerPrograms
  readonly #paths: ContainerdPaths
  readonly #hold: FolderHold
  readonly #environment: Environment
  readonly #process: SupervisedProcess
  /** Of shims that a dead containerd left. The next one ends those that it has no use for, and forgets their sockets. */
  readonly #sockets = new Set<string>()

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
    const before = () => this.#noteSockets()
    this.#process = new SupervisedProcess({
      program: programs.containerd,
      args,
      log: paths.log,
      environment,
      restart,
      beforeStart: before,
    })
  }

  #noteSockets(): void {
    removeDeadSockets(this.#sockets)
    for (const socket of shimSockets(this.#paths)) this.#sockets.add(socket)
  }

  /** What a kubelet is given to reach it. */
  get endpoint(): string {
    return `unix://${this.#paths.socket}`
  }

  get folder(): string {
    return this.#paths.folder
  }

  get logFile(): string {
    return this.#paths.log
  }

  /** Undefined while it does not run. */
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
    this.#environment.log.info('A private containerd runs', { folder, pid, cgroups: cgroupMode() })
  }

  /** Resolves when it answers; rejects with its last words when it died, or says nothing for a minute. */
  async untilReady(): Promise<void> {
    const { clock } = this.#environment
    const until = clock.monotonic() + startTimeout
    for (;;) {
      const failure = await this.runtime.status({}, { timeout: startTimeout }).then(
        () => undefined,
        (error: Error) => error,
      )
      if (!failure) return
      if (!this.#process.alive) throw new Error(`containerd ended:\n${this.#process.lastLogLines()}`)
      if (clock.monotonic() > until || !isStarting(failure))
        throw new Error(`containerd is of no use: ${failure.message}\n${this.#process.lastLogLines()}`)
      await sleep(clock, 10)
    }
  }

  /** Makes images that were put together here known to the runtime. */
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

  /** Resolves when it is gone; with its containers, unless they are to be kept: then they run on without it. */
  async close({ containers = 'end' }: CloseOptions = {}): Promise<void> {
    if (containers === 'end' && this.#process.alive) await this.#endContainers()
    await this.#process.stop()
    this.runtime.close()
    const { clock } = this.#environment
    if (containers === 'end') await clearLeftovers(this.#paths, this.programs.runc, clock)
    removeDeadSockets(this.#sockets)
    await this.#hold.release()
  }

  /** What could not be started goes, and what an earlier one left stays for a better try. */
  async abandon(): Promise<void> {
    await this.close({ containers: 'keep' })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** In the proper way, so that addresses are given back. What resists is cleared away afterwards. */
  async #endContainers(): Promise<void> {
    const { items } = await this.runtime.listPodSandbox({})
    const ended = items.map(async ({ id }) => {
      await this.runtime.stopPodSandbox({ podSandboxId: id })
      await this.runtime.removePodSandbox({ podSandboxId: id })
    })
    for (const outcome of await Promise.allSettled(ended))
      if (outcome.status === 'rejected')
        this.#environment.log.warn('A sandbox does not end in the proper way', { error: outcome.reason })
  }
}
