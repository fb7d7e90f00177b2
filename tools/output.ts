import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { hashLength } from '../src/bin/process/code-cache.js'

/** Replaces a file atomically: another process may be reading it, or building it as well. */
export function replaceFile(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  const other = `${path}.${process.pid}`
  writeFileSync(other, text, { mode })
  renameSync(other, path)
}

/** Returns the text with its hash in a first line, as `CodeCache` expects it. */
export function withHash(text: string): { readonly hash: string; readonly text: string } {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, hashLength)
  return { hash, text: `//${hash}\n${text}` }
}

/** A folder that contains only the files of one build. */
export class OutputFolder {
  readonly path: string
  readonly #written = new Set<string>()

  constructor(path: string) {
    this.path = path
  }

  write(name: string, text: string): void {
    this.#written.add(name)
    replaceFile(join(this.path, name), text)
  }

  /** Removes the files of earlier builds. Call it after the last `write`: until then, programs may still load the old files. */
  removeOthers(): void {
    for (const entry of readdirSync(this.path, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isDirectory() && !this.#written.has(relative(this.path, path))) rmSync(path)
    }
  }
}
