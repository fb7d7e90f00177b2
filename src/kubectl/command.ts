import type { FlagTable, FlagValues } from '../base/flags/flags.js'
import type { Factory } from './factory/factory.js'

/** One call of a command: the line, taken apart, and what the command works with. */
export interface CommandContext<Table extends FlagTable> {
  /** `kubectl rollout status`: how it was called. */
  readonly path: string
  /** The whole line as it was typed, without what is secret. */
  readonly line: string
  readonly flags: FlagValues<Table>
  /** What is no flag. */
  readonly args: readonly string[]
  /** How many of these stood before `--`; undefined where there was none. */
  readonly dash: number | undefined
  /** Whether a flag was given at all. */
  isSet(name: keyof Table & string): boolean
  readonly factory: Factory
  out(text: string | Uint8Array): Promise<void>
  err(text: string): Promise<void>
}

interface CommandOptions<Table extends FlagTable> {
  /** What follows the command's path: `(TYPE [NAME | -l label] | TYPE/NAME ...) [flags]`. */
  readonly usage: string
  /** What it does, in a few sentences. */
  readonly about: string
  /** Lines that can be typed, each perhaps with a comment before it. */
  readonly examples?: readonly string[]
  readonly flags: Table
  /** Throws where it fails: `failure.ts` says how that is told. */
  readonly run: (call: CommandContext<Table>) => Promise<void>
  readonly subcommands?: Catalogue
  /** With which code it ends where something goes wrong; 1 unless told. */
  readonly failureCode?: number
}

/** A command whose flags nobody else needs to know. */
export interface Command {
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
  readonly flags: FlagTable
  readonly subcommands: Catalogue
  /** Undefined where it is only the head of its subcommands. */
  readonly run: ((call: CommandContext<FlagTable>) => Promise<void>) | undefined
  readonly failureCode?: number
}

/** A command that can be listed without loading it. */
export interface CatalogueEntry {
  /** One line. */
  readonly about: string
  /** Under which heading help lists it. */
  readonly heading?: string
  readonly aliases?: readonly string[]
  readonly load: () => Promise<Command>
}

/** By name, in the order in which help lists them. */
export type Catalogue = Readonly<Record<string, CatalogueEntry>>

export function command<Table extends FlagTable>(parts: CommandOptions<Table>): Command {
  const { examples = [], run, subcommands = {} } = parts
  return { ...parts, examples, subcommands, run: run as Command['run'] }
}

/** A command that does nothing but lead to others: `rollout`, `set`. */
export function commandGroup(parts: { readonly about: string; readonly subcommands: Catalogue }): Command {
  return { usage: 'SUBCOMMAND', examples: [], flags: {}, run: undefined, ...parts }
}
