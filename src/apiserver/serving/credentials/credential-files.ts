import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of keys and certificates that only its owner can read. Writes are atomic. */
export class CredentialFiles {
  readonly #folder: string
  readonly #isPassing: boolean

  /** `isPassing`: the files need not survive a crash of the host, so they are not flushed to disk. */
  constructor(folder: string, { isPassing = false }: { readonly isPassing?: boolean | undefined } = {}) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folder = folder
    this.#isPassing = isPassing
  }

  path(name: string): string {
    return join(this.#folder, name)
  }

  /** Returns undefined if the file does not exist. Throws if it cannot be read. */
  read(name: string): string | undefined {
    try {
      return readFileSync(this.path(name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  write(name: string, content: string): void {
    const path = this.path(name)
    const unfinished = `${path}.new`
    const file = openSync(unfinished, 'w', 0o600)
    try {
      writeSync(file, content)
      if (!this.#isPassing) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  }
}
