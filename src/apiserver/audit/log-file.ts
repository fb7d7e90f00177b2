import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import type { AuditBackend } from './auditor.js'
import type { AuditEvent } from './event.js'

export interface LogFileOptions {
  /** `-` for standard output. */
  readonly path: string
  /** In bytes; a larger file is rotated. */
  readonly maxSize: number
  /** How many rotated files are kept; 0: all. */
  readonly maxBackups: number
  /** How long rotated files are kept, in milliseconds; 0: forever. */
  readonly maxAge: number
}

const standardOutput = 1

/** Writes one line of JSON per event, synchronously. Rotates full files; their names contain the time. */
export class AuditLogFile implements AuditBackend {
  readonly #options: LogFileOptions
  readonly #environment: Environment
  #file = standardOutput
  #size = 0

  /** Throws if the file cannot be opened. */
  constructor(options: LogFileOptions, environment: Environment) {
    this.#options = options
    this.#environment = environment
    if (options.path === '-') return
    mkdirSync(dirname(options.path), { recursive: true })
    this.#open()
  }

  #open(): void {
    this.#file = openSync(this.#options.path, 'a', 0o600)
    this.#size = fstatSync(this.#file).size
  }

  take(event: AuditEvent): void {
    const line = Buffer.from(`${JSON.stringify(event)}\n`)
    try {
      if (this.#size > 0 && this.#size + line.length > this.#options.maxSize && this.#options.path !== '-')
        this.#rotate()
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written)
      this.#size += line.length
    } catch (error) {
      this.#environment.log.error('audit event write failed', { error })
    }
  }

  #rotate(): void {
    const { path } = this.#options
    closeSync(this.#file)
    renameSync(path, this.#backupName())
    this.#open()
    this.#removeOld()
  }

  /** Returns `audit-2026-01-01T00-00-00.000.log`: the names sort by time. */
  #backupName(): string {
    const { path } = this.#options
    const extension = extname(path)
    const time = new Date(this.#environment.clock.now()).toISOString().replaceAll(':', '-').replace('Z', '')
    const stem = `${path.slice(0, path.length - extension.length)}-${time}`
    return this.#backups().includes(`${basename(stem)}${extension}`)
      ? `${stem}+${this.#size}${extension}`
      : `${stem}${extension}`
  }

  #backups(): string[] {
    const { path } = this.#options
    const extension = extname(path)
    const stem = basename(path, extension)
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(`${stem}-`) && name.endsWith(extension))
    return names.filter((name) => /^\d{4}-\d\d-\d\dT/.test(name.slice(stem.length + 1))).sort()
  }

  #removeOld(): void {
    const { path, maxBackups, maxAge } = this.#options
    const names = this.#backups()
    const tooMany = maxBackups > 0 ? names.slice(0, Math.max(0, names.length - maxBackups)) : []
    const oldest = this.#environment.clock.now() - maxAge
    const tooOld = maxAge > 0 ? names.filter((name) => timeOf(name) < oldest) : []
    for (const name of new Set([...tooMany, ...tooOld])) rmSync(join(dirname(path), name), { force: true })
  }

  async close(): Promise<void> {
    if (this.#file !== standardOutput) closeSync(this.#file)
  }
}

function timeOf(name: string): number {
  const [, date, hours, minutes, seconds] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d+)/.exec(name) ?? []
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`)
}
