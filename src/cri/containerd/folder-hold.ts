import { statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

/**
 * This process's hold on a folder: an abstract socket named after the folder's device and inode. The system lets go of it in the
 * moment the process dies, however it dies, and whatever path leads to the folder, it is the same.
 */
export class FolderHold {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static take(folder: string): Promise<FolderHold> {
    const { dev, ino } = statSync(folder, { bigint: true })
    // As long as names can be: versions of Node differ in how they fill up shorter ones.
    const name = `\0proa-containerd-${dev}-${ino}`.padEnd(108, '-')
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => socket.destroy()).unref()
      server.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'EADDRINUSE' ? new Error(`${folder} is in use by another process`) : error)
      })
      server.listen({ path: name, exclusive: true }, () => resolve(new FolderHold(server)))
    })
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
