import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.js'
import { UnusableStoreError } from '../errors.js'

const noteFile = 'holder.json'

const longestName = 108

interface Note {
  readonly pid: number
  readonly since: string
}

/**
 * This process's hold on a store's folder. Node has no file locks, so it is a listening socket whose name belongs to the folder:
 * the system allows one listener, and lets go of the name in the moment its process dies, however it dies. On Linux the name is
 * in the abstract namespace and made of the folder's device and inode, so that no file is left behind and every path to the
 * folder meets the same name; elsewhere it is a socket file in the folder, and one that nobody answers on is a dead process's.
 *
 * Containers that share a folder but not their network do not see each other's abstract names. Then the fence in the store itself
 * (`open-medium.ts`) sees to it that only the one that came last can write.
 */
export class FolderLock {
  readonly #server: Server
  readonly #directory: string

  private constructor(server: Server, directory: string) {
    this.#server = server
    this.#directory = directory
  }

  /** Rejects with an error that names the holder when another process, or this one, already has the folder. */
  static async acquire(directory: string, clock: Clock, name: string = socketName(directory)): Promise<FolderLock> {
    const server = (await listen(name)) ?? ((await isDead(name)) ? await listenAnew(name) : undefined)
    if (!server) throw new UnusableStoreError(`${directory} is in use by ${describeHolder(directory)}`)
    const note: Note = { pid: process.pid, since: new Date(clock.now()).toISOString() }
    writeFileSync(join(directory, noteFile), JSON.stringify(note), { mode: 0o600 })
    return new FolderLock(server, directory)
  }

  async release(): Promise<void> {
    rmSync(join(this.#directory, noteFile), { force: true })
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

function socketName(directory: string): string {
  if (process.platform !== 'linux') return join(directory, 'holder.sock')
  const { dev, ino } = statSync(directory, { bigint: true })
  // Versions of Node differ in whether they fill a short name up with zeros: this one is as long as names can be.
  return `\0proa-store-${dev}-${ino}`.padEnd(longestName, '-')
}

/** A server that nobody talks to, and that keeps no process alive; undefined when the name is taken. */
function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(new UnusableStoreError(`cannot take hold of the store: ${error.message}`, { cause: error }))
    })
    server.listen({ path: name, exclusive: true }, () => {
      if (isFile(name)) chmodSync(name, 0o600)
      resolve(server)
    })
  })
}

function isFile(name: string): boolean {
  return !name.startsWith('\0')
}

/** Whether the name is a socket file that a process left behind when it died. */
function isDead(name: string): Promise<boolean> {
  if (!isFile(name)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect({ path: name })
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}

function listenAnew(name: string): Promise<Server | undefined> {
  rmSync(name, { force: true })
  return listen(name)
}

function describeHolder(directory: string): string {
  try {
    const { pid, since }: Note = JSON.parse(readFileSync(join(directory, noteFile), 'utf8'))
    return pid === process.pid ? `this process, since ${since}` : `process ${pid}, since ${since}`
  } catch {
    return 'another process, which has only just started'
  }
}
