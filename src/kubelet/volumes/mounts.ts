import { lstatSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { dirname } from 'node:path'
import { mountsIn } from '../../cri/containerd/left-overs.js'
import { ResidentShell } from './resident-shell.js'

export interface FilesystemMount {
  readonly type: 'tmpfs' | 'hugetlbfs'
  readonly path: string
  readonly options: readonly string[]
}

/** How volumes become file systems of their own. */
export interface Mounts {
  /** Does nothing when something is mounted there already. */
  mount(mount: FilesystemMount): Promise<void>
  readonly canBind: boolean
  /** Makes a file or folder appear in another place too. */
  bind(source: string, target: string): Promise<void>
  /** Whether something is mounted right there. */
  isMounted(path: string): boolean
  /** All that is mounted in a folder, the innermost first, as the kernel says. */
  within(folder: string): readonly string[]
  unmount(paths: readonly string[]): Promise<void>
  close(): void
}

/** What mounting takes: CAP_SYS_ADMIN, which root may lack in a container. */
const sysAdmin = 21n

/** Real ones for those who can mount; plain folders for everybody else, whose containers are not real either. */
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

  /** A mounted file system has a number of its own. That of a bind is no other: those are found by `within`. */
  isMounted(path: string): boolean {
    return deviceOf(path) !== deviceOf(dirname(path))
  }

  within(folder: string): readonly string[] {
    return mountsIn(folder)
  }

  /** What somebody still uses goes out of sight now, and for good when they are done. */
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

/** Even a link can be mounted. To unmount it would be to unmount what it leads to, which may be the node's own. */
function assertNoLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${path} is a link: what it leads to is not unmounted`)
}

function deviceOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.dev
}

/** For containers that are not real. */
export const plainFolders: Mounts = {
  canBind: false,
  mount: async () => {},
  bind: async () => {
    throw new Error('only root can bind one place to another')
  },
  isMounted: () => true,
  within: () => [],
  unmount: async () => {},
  close: () => {},
}

/** Keeps what is in memory out of swap space, with kernels that can (from 6.4 on) and users whom they let. */
export function staysInMemory(kernel = release(), users = userMap()): readonly string[] {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10))
  const isKnown = major > 6 || (major === 6 && minor >= 4)
  return isKnown && isEverybody.test(users) ? ['noswap'] : []
}

/** Of the machine's own users, not those of a user namespace. */
const isEverybody = /^\s*0\s+0\s+4294967295\s*$/

let knownUsers: string | undefined

function userMap(): string {
  knownUsers ??= process.platform === 'linux' ? readFileSync('/proc/self/uid_map', 'utf8') : ''
  return knownUsers
}
