import { chmodSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

const longestName = 108

/**
 * A lock of this process on a folder. Node has no file locks, so it is a listening socket whose name belongs to the folder: the system
 * allows one listener, and releases the name as soon as its process ends, however it ends. On Linux the name is in the abstract namespace
 * and contains device and inode of the folder, so that no file is left behind and every path to the folder gives the same name. Elsewhere
 * it is a socket file in the folder; one without a listener belongs to a dead process.
 *
 * Containers that share a folder but not their network do not see each other's abstract names.
 */
export class FolderHold {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  /** Returns undefined if another process, or this one, already holds the folder for the same purpose. */
  static async take(
    folder: string,
    purpose: string,
    name = holdName(folder, purpose),
  ): Promise<FolderHold | undefined> {
    const server = (await listen(name)) ?? ((await isDead(name)) ? await replaceSocketFile(name) : undefined)
    return server && new FolderHold(server)
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** The socket file, on systems without abstract names. */
export const holdFile = 'holder.sock'

function holdName(folder: string, purpose: string): string {
  if (process.platform !== 'linux') return join(folder, holdFile)
  const { dev, ino } = statSync(folder, { bigint: true })
  // Versions of Node differ in whether they pad a short name with zeros: this one has the maximum length.
  return `\0proa-${purpose}-${dev}-${ino}`.padEnd(longestName, '-')
}

/** Returns a server that handles no connections and does not keep the process alive; undefined if the name is in use. */
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

/** Whether the name is a socket file that a dead process left behind. */
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

function replaceSocketFile(name: string): Promise<Server | undefined> {
  rmSync(name, { force: true })
  return listen(name)
}
