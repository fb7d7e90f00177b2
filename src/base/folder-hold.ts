import { chmodSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

const longestName = 108

/**
 * This process's hold on a folder. Node has no file locks, so it is a listening socket whose name belongs to the folder: the system
 * allows one listener, and releases the name the moment its process dies, however it dies. On Linux the name is in the abstract
 * namespace and made of the folder's device and inode, so that no file is left behind and every path to the folder gives the same name;
 * elsewhere it is a socket file in the folder, and one that nobody answers on belongs to a dead process.
 *
 * Containers that share a folder but not their network do not see each other's abstract names.
 */
export class FolderHold {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  /** Undefined when another process, or this one, already holds the folder for the same purpose. */
  static async take(
    folder: string,
    purpose: string,
    name = holdName(folder, purpose),
  ): Promise<FolderHold | undefined> {
    const server = (await listen(name)) ?? ((await isDead(name)) ? await listenAnew(name) : undefined)
    return server && new FolderHold(server)
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** The file that stands for the hold where there are no abstract names. */
export const holdFile = 'holder.sock'

function holdName(folder: string, purpose: string): string {
  if (process.platform !== 'linux') return join(folder, holdFile)
  const { dev, ino } = statSync(folder, { bigint: true })
  // Versions of Node differ in whether they fill a short name up with zeros: this one is as long as names can be.
  return `\0proa-${purpose}-${dev}-${ino}`.padEnd(longestName, '-')
}

/** A server that nobody talks to, and that keeps no process alive; undefined when the name is taken. */
function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
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
