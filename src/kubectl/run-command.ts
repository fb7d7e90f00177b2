import { type FlagTable, type ParsedArguments, parseArguments, UsageError } from '../base/flags/flags.js'
import type { Command } from './command.js'
import { CommandUsageError, ExitCodeError, errorText } from './command-errors.js'
import type { KubectlEnvironment } from './environment.js'
import type { CacheFiles } from './factory/disk-discovery.js'
import { Factory } from './factory/factory.js'
import { HelpRequested, kubectlFlagErrors } from './flag-errors.js'
import { type GlobalValues, globalFlags } from './global-flags.js'
import { helpText } from './help.js'

/** A line whose command was found. */
export interface ResolvedCommand {
  readonly path: string
  readonly command: Command
  /** The line without the name of the command. */
  readonly rest: readonly string[]
}

interface RunCommandDependencies {
  readonly environment: KubectlEnvironment
  readonly cache: CacheFiles
}

/** Runs a function, prints its error and returns the exit code. */
export async function reportErrors(run: () => Promise<void>, { err, signal }: KubectlEnvironment): Promise<number> {
  try {
    await run()
    return 0
  } catch (error) {
    if (error instanceof ExitCodeError) return error.code
    if (signal.aborted) return 130
    await err(`${errorText(error)}\n`)
    return 1
  }
}

/** Redacts tokens and passwords. */
function shown(word: string): string {
  return /^--(?:token|password)=/.test(word) ? word.replace(/=.*/s, '=REDACTED') : word
}

/** Runs a command. Some commands use another exit code for errors, because 1 has a meaning of its own. */
export async function runResolvedCommand(
  found: ResolvedCommand,
  line: readonly string[],
  around: RunCommandDependencies,
): Promise<void> {
  const { failureCode } = found.command
  try {
    await run(found, `kubectl ${line.map(shown).join(' ')}`, around)
  } catch (error) {
    if (failureCode === undefined || error instanceof ExitCodeError) throw error
    await around.environment.err(`${errorText(error)}\n`)
    throw new ExitCodeError(failureCode)
  }
}

async function run(
  { path, command, rest }: ResolvedCommand,
  line: string,
  { environment, cache }: RunCommandDependencies,
): Promise<void> {
  const { out, err } = environment
  const parsed = await parse(path, command, rest, environment)
  if (parsed === 'help') return out(helpText(path, command))
  if (!command.run) {
    const [word] = parsed.operands
    if (word === undefined) {
      await out(helpText(path, command))
      throw new ExitCodeError(1)
    }
    throw new CommandUsageError(path, `unknown command "${word}"`)
  }
  const factory = new Factory({ ...globalsOf(parsed, command), environment, cache, command: path })
  try {
    const { flags, operands: args, dash } = parsed
    const isSet = (name: string) => parsed.isSet(name)
    await command.run({ path, line, flags, args, dash, isSet, factory, out, err: (text) => err(text) })
    rejectWarnings(factory)
  } finally {
    await factory.close()
  }
}

/** A flag of the command hides a global flag of the same name: `--user` of a role binding does not choose the user of the request. */
function globalsOf(parsed: ParsedArguments<FlagTable>, { flags }: Command) {
  const isHidden = (name: string) => Object.hasOwn(flags, name)
  const values = Object.entries(globalFlags).map(([name, flag]) => [
    name,
    isHidden(name) ? flag.read([]) : parsed.flags[name],
  ])
  return {
    globals: Object.fromEntries(values) as unknown as GlobalValues,
    isSet: (name: string) => !isHidden(name) && parsed.isSet(name),
  }
}

async function parse(
  path: string,
  { flags, failureCode }: Command,
  rest: readonly string[],
  { err }: KubectlEnvironment,
) {
  const table: FlagTable = { ...globalFlags, ...flags }
  try {
    const parsed: ParsedArguments<FlagTable> = parseArguments(table, rest, { errors: kubectlFlagErrors })
    const deprecated = Object.keys(table).filter((name) => table[name]!.deprecated !== undefined && parsed.isSet(name))
    for (const name of deprecated) await err(`Flag --${name} has been deprecated, ${table[name]!.deprecated}\n`)
    return parsed
  } catch (error) {
    if (error instanceof HelpRequested) return 'help'
    if (!(error instanceof UsageError)) throw error
    if (failureCode !== undefined) throw new CommandUsageError(path, error.message)
    throw new Error(`${error.message}\nSee '${path} --help' for usage.`, { cause: error })
  }
}

function rejectWarnings({ globals, warnings }: Factory): void {
  if (!globals['warnings-as-errors'] || warnings === 0) return
  throw new Error(warnings === 1 ? '1 warning received' : `${warnings} warnings received`)
}
