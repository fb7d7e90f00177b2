import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../../base/logging.js'

const apiVersion = 'kubelet.config.k8s.io/v1beta1'

/**
 * Small records, one file each, in upstream's format, so that either kubelet can read them. Read once, on first use; no other process
 * writes them. Writes are synchronous and atomic: after a kill, a record is either old or new.
 */
export class RecordFiles<Content extends object> {
  readonly #folder: string
  readonly #kind: string
  readonly #log: Logger
  #records: Map<string, Content> | undefined

  constructor(folder: string, kind: string, log: Logger) {
    this.#folder = folder
    this.#kind = kind
    this.#log = log
  }

  get(about: string): Content | undefined {
    return this.#all().get(fileName(about))
  }

  list(): readonly Content[] {
    return [...this.#all().values()]
  }

  set(about: string, record: Content): void {
    const records = this.#all()
    const file = fileName(about)
    const part = join(this.#folder, `.${file}.part`)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(part, JSON.stringify({ kind: this.#kind, apiVersion, ...record }), { mode: 0o600 })
    renameSync(part, join(this.#folder, file))
    records.set(file, record)
  }

  delete(about: string): void {
    const file = fileName(about)
    if (this.#all().delete(file)) rmSync(join(this.#folder, file), { force: true })
  }

  #all(): Map<string, Content> {
    this.#records ??= this.#readAll()
    return this.#records
  }

  #readAll(): Map<string, Content> {
    const records = new Map<string, Content>()
    for (const file of this.#fileNames()) {
      const record = this.#read(file)
      if (record) records.set(file, record)
    }
    return records
  }

  #fileNames(): readonly string[] {
    try {
      return readdirSync(this.#folder).filter((name) => name.startsWith('sha256-'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** An unreadable record counts as missing. */
  #read(file: string): Content | undefined {
    try {
      const { kind, apiVersion: _, ...record } = JSON.parse(readFileSync(join(this.#folder, file), 'utf8'))
      if (kind === this.#kind) return record as Content
      this.#log.warn('pull record has unexpected kind', { file, kind })
    } catch (error) {
      this.#log.warn('pull record unreadable', { file, error })
    }
    return undefined
  }
}

function fileName(about: string): string {
  return `sha256-${createHash('sha256').update(about).digest('hex')}`
}
