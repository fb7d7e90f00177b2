import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'

export interface LogRotationDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  /** Bytes. Defaults to 10 Mi. */
  readonly maxSize?: number
  /** Maximum files per container, with the current one. Defaults to 5. */
  readonly maxFiles?: number
  /** Milliseconds between two checks. Defaults to 10 s. */
  readonly interval?: number
}

/** Rotates, compresses and finally removes the logs of running containers, so that they do not fill the disk. */
export class LogRotation {
  readonly #dependencies: Required<LogRotationDependencies>
  /** Log paths by container. They are constant. */
  #paths: ReadonlyMap<string, string> = new Map()
  #timer: Timer | undefined
  #closed = false

  constructor(dependencies: LogRotationDependencies) {
    this.#dependencies = { maxSize: 10 * 1024 * 1024, maxFiles: 5, interval: 10_000, ...dependencies }
    this.#schedule()
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
  }

  #schedule(): void {
    const { environment, interval } = this.#dependencies
    if (this.#closed) return
    this.#timer = environment.clock.timer(interval, () => {
      this.rotateAll()
        .catch((error: unknown) => environment.log.error('log rotation failed', { error }))
        .finally(() => this.#schedule())
    })
  }

  /** Checks all running containers once. */
  async rotateAll(): Promise<void> {
    const { runtime, environment, maxSize } = this.#dependencies
    const { containers } = await runtime.listContainers({ filter: { state: { state: 'CONTAINER_RUNNING' } } })
    await this.#learnPaths(containers.map(({ id }) => id))
    for (const [id, path] of this.#paths) {
      try {
        if ((await sizeOf(path)) >= maxSize) await this.#rotate(id, path)
      } catch (error) {
        environment.log.error('container log rotation failed', { error, container: id, path })
      }
    }
  }

  async #learnPaths(ids: readonly string[]): Promise<void> {
    const paths = new Map<string, string>()
    for (const id of ids) {
      const path = this.#paths.get(id) ?? (await this.#pathOf(id))
      if (path !== '') paths.set(id, path)
    }
    this.#paths = paths
  }

  async #pathOf(containerId: string): Promise<string> {
    const { runtime, environment } = this.#dependencies
    try {
      return (await runtime.containerStatus({ containerId })).status?.logPath ?? ''
    } catch (error) {
      environment.log.debug('container log path unknown', { error, container: containerId })
      return ''
    }
  }

  /** The runtime keeps writing to the renamed file until it reopens the log. */
  async #rotate(containerId: string, path: string): Promise<void> {
    const { environment, runtime, maxFiles } = this.#dependencies
    const old = await rotated(path)
    const kept = Math.max(0, maxFiles - 2) // besides the file that is rotated now and the new one
    const excess = Math.max(0, old.length - kept)
    for (const name of old.slice(0, excess)) await rm(name)
    for (const name of old.slice(excess)) if (!name.endsWith('.gz')) await compress(name)
    const moved = `${path}.${stamp(environment.clock.now())}`
    await rename(path, moved)
    try {
      await runtime.reopenContainerLog({ containerId })
    } catch (error) {
      await rename(moved, path)
      throw error
    }
  }
}

/** Returns the rotated files, oldest first. Removes the remains of interrupted compressions. */
async function rotated(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name))
  const unfinished = names.filter((name) => name.endsWith('.tmp') || names.includes(`${name}.gz`))
  for (const name of unfinished) await rm(name)
  return names.filter((name) => !unfinished.includes(name)).sort()
}

async function compress(path: string): Promise<void> {
  const unfinished = `${path}.tmp`
  await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o640 }))
  await rename(unfinished, `${path}.gz`)
  await rm(path)
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** `20260131-235959` */
function stamp(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T')
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`
}
