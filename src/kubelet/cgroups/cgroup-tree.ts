import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock, sleep } from '../../base/clock.js'
import { type CgroupLimits, settingsOfVersion1, settingsOfVersion2 } from './cgroup-limits.js'
import { sharesOfWeight } from './cpu-values.js'
import type { Hierarchy } from './hierarchies.js'

/** Milliseconds that the kernel may take to release killed processes. */
const killTimeout = 10_000
const firstPause = 5

/** All cgroup hierarchies of this host, treated as one tree. */
export class CgroupTree {
  readonly #hierarchies: readonly Hierarchy[]
  readonly #clock: Clock
  /** True if only cgroup version 2 is mounted. */
  readonly #isUnified: boolean

  constructor(hierarchies: readonly Hierarchy[], clock: Clock) {
    this.#hierarchies = hierarchies
    this.#clock = clock
    this.#isUnified = hierarchies.every(({ version }) => version === 2)
  }

  /** Returns whether the cgroup exists in every hierarchy. */
  async exists(path: string): Promise<boolean> {
    const there = await Promise.all(this.#folders(path).map((folder) => isPresent(folder)))
    return there.every(Boolean)
  }

  /** Creates the cgroup and its missing parents. */
  async create(path: string): Promise<void> {
    await Promise.all(this.#hierarchies.map((hierarchy) => this.#makeIn(hierarchy, path)))
  }

  /** Creates a cgroup whose parents usually exist. Many pods can start at once, so it does not check every parent. */
  async createLeaf(path: string): Promise<void> {
    const made = this.#hierarchies.map(async (hierarchy) => {
      const problem = await this.#makeFolder(hierarchy, join(hierarchy.folder, path)).then(
        () => undefined,
        unless('ENOENT'),
      )
      if (problem) await this.#makeIn(hierarchy, path)
    })
    await Promise.all(made)
  }

  /** Sets limits. Ignores those without a controller. */
  async limit(path: string, limits: CgroupLimits): Promise<void> {
    const settings = this.#isUnified ? settingsOfVersion2(limits) : settingsOfVersion1(limits)
    const controllers = new Set(settings.map(({ controller }) => controller))
    await Promise.all(
      [...controllers].map(async (name) => {
        const folder = await this.#folderOf(name, path)
        if (folder === undefined) return
        for (const { controller, file, value } of settings)
          if (controller === name) await writeFile(join(folder, file), value)
      }),
    )
  }

  /** Returns the names of the direct children. */
  async children(path: string): Promise<readonly string[]> {
    const names = new Set<string>()
    for (const folder of this.#folders(path)) for (const name of await subfolders(folder)) names.add(name)
    return [...names]
  }

  /** Returns undefined if the cgroup or the controller does not exist. */
  async cpuShares(path: string): Promise<number | undefined> {
    const folder = await this.#folderOf('cpu', path)
    if (folder === undefined) return undefined
    const text = await readText(join(folder, this.#isUnified ? 'cpu.weight' : 'cpu.shares'))
    if (text === undefined || text === '') return undefined
    return this.#isUnified ? sharesOfWeight(Number(text)) : Number(text)
  }

  /** Kills all processes in the cgroup and below, and removes it. Does nothing if it does not exist. */
  async remove(path: string): Promise<void> {
    const folders = await existing(this.#folders(path))
    await this.#killAll(folders)
    for (const folder of folders) await this.#removeFolder(folder)
  }

  #folders(path: string): readonly string[] {
    return this.#hierarchies.map(({ folder }) => join(folder, path))
  }

  async #makeIn(hierarchy: Hierarchy, path: string): Promise<void> {
    const names = path.split('/').filter((name) => name !== '')
    for (const [i] of names.entries())
      await this.#makeFolder(hierarchy, join(hierarchy.folder, ...names.slice(0, i + 1)))
  }

  async #makeFolder({ controllers, version }: Hierarchy, folder: string): Promise<void> {
    if (version === 2 && this.#isUnified) await passOnControllers(dirname(folder))
    await mkdir(folder).catch(unless('EEXIST'))
    if (controllers.includes('cpuset')) await inheritCores(folder)
  }

  async #folderOf(controller: string, path: string): Promise<string | undefined> {
    if (!this.#isUnified) {
      const hierarchy = this.#hierarchies.find(({ controllers }) => controllers.includes(controller))
      return hierarchy && join(hierarchy.folder, path)
    }
    const folder = join(this.#hierarchies[0]!.folder, path)
    const available = (await readText(join(folder, 'cgroup.controllers')))?.split(/\s+/)
    return available && !available.includes(controller) ? undefined : folder
  }

  async #killAll(folders: readonly string[]): Promise<void> {
    const deadline = this.#clock.monotonic() + killTimeout
    for (let pause = firstPause; ; pause *= 2) {
      const processes = new Set((await Promise.all(folders.map(processesBelow))).flat())
      if (processes.size === 0) return
      if (this.#clock.monotonic() > deadline)
        throw new Error(`processes ${[...processes].join(', ')} in cgroup ${folders[0]} do not end`)
      for (const folder of folders) await thaw(folder)
      for (const pid of processes) kill(pid)
      await sleep(this.#clock, pause)
    }
  }

  /** Removes children first. Retries while the kernel still counts the cgroup as busy. */
  async #removeFolder(folder: string): Promise<void> {
    for (const name of await subfolders(folder)) await this.#removeFolder(join(folder, name))
    const deadline = this.#clock.monotonic() + killTimeout
    for (let pause = firstPause; ; pause *= 2) {
      const problem = await rmdir(folder).then(() => undefined, unless('ENOENT', 'EBUSY'))
      if (problem?.code !== 'EBUSY') return
      if (this.#clock.monotonic() > deadline) throw problem
      await sleep(this.#clock, pause)
    }
  }
}

/** In version 1, a cgroup without CPUs cannot hold processes: copies the CPUs of the parent. */
async function inheritCores(folder: string): Promise<void> {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    if ((await readText(join(folder, file))) !== '') continue
    const value = await readText(join(dirname(folder), file))
    if (value) await writeFile(join(folder, file), value)
  }
}

/** In version 2, children can only use controllers that the parent enables for them. */
async function passOnControllers(folder: string): Promise<void> {
  const available = (await readText(join(folder, 'cgroup.controllers'))) ?? ''
  const passedOn = (await readText(join(folder, 'cgroup.subtree_control')))?.split(/\s+/) ?? []
  const missing = available.split(/\s+/).filter((name) => name !== '' && !passedOn.includes(name))
  if (missing.length > 0)
    await writeFile(join(folder, 'cgroup.subtree_control'), missing.map((name) => `+${name}`).join(' '))
}

async function processesBelow(folder: string): Promise<readonly number[]> {
  const own = (await readText(join(folder, 'cgroup.procs'))) ?? ''
  const below = await Promise.all((await subfolders(folder)).map((name) => processesBelow(join(folder, name))))
  return [
    ...own
      .split('\n')
      .filter((line) => line !== '')
      .map(Number),
    ...below.flat(),
  ]
}

/** Frozen processes do not react to SIGKILL. */
async function thaw(folder: string): Promise<void> {
  for (const name of await subfolders(folder)) await thaw(join(folder, name))
  const [state, frozen] = [join(folder, 'freezer.state'), join(folder, 'cgroup.freeze')]
  if ((await readText(state)) === 'FROZEN') await writeFile(state, 'THAWED')
  if ((await readText(frozen)) === '1') await writeFile(frozen, '0')
}

function kill(pid: number): void {
  if (pid === process.pid) throw new Error('the kubelet itself is in the cgroup of a pod')
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    unless('ESRCH')(error as NodeJS.ErrnoException)
  }
}

async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(folders.map((folder) => isPresent(folder)))
  return folders.filter((_, i) => there[i])
}

async function isPresent(folder: string): Promise<boolean> {
  return (await access(folder).then(() => undefined, unless('ENOENT'))) === undefined
}

async function subfolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unless('ENOENT'))
  return Array.isArray(entries) ? entries.filter((entry) => entry.isDirectory()).map(({ name }) => name) : []
}

async function readText(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(unless('ENOENT', 'ENODEV'))
  return typeof text === 'string' ? text.trim() : undefined
}

/** Returns errors with these codes and throws all others. */
function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => NodeJS.ErrnoException {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
    return error
  }
}
