import type { FlagTable, FlagValues } from '../base/flags/flags.js'
import type { Factory } from './factory/factory.js'

/** What a command runs with: the parsed line and access to the cluster. */
export interface CommandContext<Table extends FlagTable> {
  /** The name of the command: `kubectl rollout status`. */
  readonly path: string
  /** The whole line as typed, with secrets redacted. */
  readonly line: string
  readonly flags: FlagValues<Table>
  /** The arguments that are not flags. */
  readonly args: readonly string[]
  /** The number of arguments before `--`; undefined without `--`. */
  readonly dash: number | undefined
  /** Whether a flag was given, even with its default. */
  isSet(name: keyof Table & string): boolean
  readonly factory: Factory
  out(text: string | Uint8Array): Promise<void>
  err(text: string): Promise<void>
}

interface CommandOptions<Table extends FlagTable> {
  /** The usage line after the command name: `(TYPE [NAME | -l label] | TYPE/NAME ...) [flags]`. */
  readonly usage: string
  /** The description in the help. */
  readonly about: string
  /** Example lines, each optionally after a comment line. */
  readonly examples?: readonly string[]
  readonly flags: Table
  /** Throws on failure. `command-errors.ts` turns the error into text. */
  readonly run: (call: CommandContext<Table>) => Promise<void>
  readonly subcommands?: Catalogue
  /** The exit code on failure; 1 by default. */
  readonly failureCode?: number
}

/** A command with the types of its flags erased. */
export interface Command {
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
  readonly flags: FlagTable
  readonly subcommands: Catalogue
  /** Undefined for a command that only has subcommands. */
  readonly run: ((call: CommandContext<FlagTable>) => Promise<void>) | undefined
  readonly failureCode?: number
}

/** An entry of the help, from which the command is loaded on demand. */
export interface CatalogueEntry {
  /** A one-line description. */
  readonly about: string
  /** The heading in the help. */
  readonly heading?: string
  readonly aliases?: readonly string[]
  readonly load: () => Promise<Command>
}

/** Commands by name, in the order of the help. */
export type Catalogue = Readonly<Record<string, CatalogueEntry>>

export function command<Table extends FlagTable>(parts: CommandOptions<Table>): Command {
  const { examples = [], run, subcommands = {} } = parts
  return { ...parts, examples, subcommands, run: run as Command['run'] }
}

/** Defines a command that only has subcommands: `rollout`, `set`. */
export function commandGroup(parts: { readonly about: string; readonly subcommands: Catalogue }): Command {
  return { usage: 'SUBCOMMAND', examples: [], flags: {}, run: undefined, ...parts }
}
