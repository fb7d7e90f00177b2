import { lstatSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { dirname } from 'node:path'
import { mountsIn } from '../../cri/containerd/leftovers.js'
import { ResidentShell } from './resident-shell.js'

export interface FilesystemMount {
  readonly type: 'tmpfs' | 'hugetlbfs'
  readonly path: string
  readonly options: readonly string[]
}

/** Mounts filesystems and bind mounts for volumes. */
export interface Mounts {
  /** Does nothing if the path is already a mount point. */
  mount(mount: FilesystemMount): Promise<void>
  readonly canBind: boolean
  /** Makes a file or folder appear at a second path. */
  bind(source: string, target: string): Promise<void>
  /** Returns whether a filesystem is mounted at the path. */
  isMounted(path: string): boolean
  /** Returns all mount points below a folder, innermost first, from the kernel's table. */
  within(folder: string): readonly string[]
  unmount(paths: readonly string[]): Promise<void>
  close(): void
}

/** CAP_SYS_ADMIN, which root may lack in a container. */
const sysAdmin = 21n

/** Returns real mounts if this process may mount, otherwise plain folders, for simulated containers. */
export function mountsFor(status = ownStatus()): Mounts {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return (BigInt(`0x${effective}`) >> sysAdmin) & 1n ? new KernelMounts() : plainFolders
}

function ownStatus(): string {
  return process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
}

class KernelMounts implements Mounts {
  readonly canBind = true
  readonly #shell = new ResidentShell()

  async mount({ type, path, options }: FilesystemMount): Promise<void> {
    if (this.isMounted(path)) return
    const source = type === 'tmpfs' ? 'tmpfs' : 'nodev'
    const withOptions = options.length > 0 ? ['-o', options.join(',')] : []
    await this.#shell.run(['mount', '-i', '-t', type, ...withOptions, source, path])
  }

  async bind(source: string, target: string): Promise<void> {
    await this.#shell.run(['mount', '-i', '--no-canonicalize', '--bind', source, target])
  }

  /** A mounted filesystem has its own device number. A bind mount does not: `within` finds those. */
  isMounted(path: string): boolean {
    return deviceOf(path) !== deviceOf(dirname(path))
  }

  within(folder: string): readonly string[] {
    return mountsIn(folder)
  }

  /** Unmounts lazily if a path is busy. */
  async unmount(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return
    for (const path of paths) assertNoLink(path)
    const command = ['umount', '-i', '--no-canonicalize']
    await this.#shell.run([...command, ...paths]).catch(() => this.#shell.run([...command, '--lazy', ...paths]))
  }

  close(): void {
    this.#shell.close()
  }
}

/** Links can be mount points. Unmounting a link would unmount its target, which may belong to the host. */
function assertNoLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${path} is a link: what it leads to is not unmounted`)
}

function deviceOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.dev
}

/** Used for simulated containers. */
export const plainFolders: Mounts = {
  canBind: false,
  mount: async () => {},
  bind: async () => {
    throw new Error('bind mounts need root')
  },
  isMounted: () => true,
  within: () => [],
  unmount: async () => {},
  close: () => {},
}

/** Returns the option that keeps tmpfs out of swap, if the kernel (6.4 or later) and the user namespace allow it. */
export function staysInMemory(kernel = release(), users = userMap()): readonly string[] {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10))
  const isKnown = major > 6 || (major === 6 && minor >= 4)
  return isKnown && isEverybody.test(users) ? ['noswap'] : []
}

/** The initial user namespace. */
const isEverybody = /^\s*0\s+0\s+4294967295\s*$/

let knownUsers: string | undefined

function userMap(): string {
  knownUsers ??= process.platform === 'linux' ? readFileSync('/proc/self/uid_map', 'utf8') : ''
  return knownUsers
}
