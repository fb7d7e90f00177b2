import { catalogue } from './catalogue.js'
import type { Catalogue, Command, Entry } from './command.js'
import type { CacheFiles } from './factory/disk-discovery.js'
import { Factory } from './factory/factory.js'
import { ExitCode, tell, UsageError } from './failure.js'
import type { FlagTable } from './flags/flag.js'
import { type GlobalValues, globalFlags } from './flags/global-flags.js'
import { FlagError, firstArgument, HelpWanted, type Parsed, parseFlags } from './flags/parse.js'
import { suggestions } from './flags/suggestions.js'
import { flagLines, helpText, overview } from './flags/usage.js'
import type { Surroundings } from './surroundings.js'

const about = 'kubectl controls the Kubernetes cluster manager. This one is Proa’s.'

/** A line of which the command is known. */
interface Found {
  readonly path: string
  readonly command: Command
  /** The line without the words that name the command. */
  readonly rest: readonly string[]
}

/** Tokens and passwords are for nobody to read. */
function shown(word: string): string {
  return /^--(?:token|password)=/.test(word) ? word.replace(/=.*/s, '=REDACTED') : word
}

/** Runs one line, without `kubectl` at its beginning. Resolves with the exit code; all that went wrong has been told. */
export async function kubectl(line: readonly string[], surroundings: Surroundings, cache: CacheFiles): Promise<number> {
  try {
    await run(line, surroundings, cache)
    return 0
  } catch (error) {
    if (error instanceof ExitCode) return error.code
    if (surroundings.signal.aborted) return 130
    await surroundings.err(`${tell(error)}\n`)
    return 1
  }
}

/** What shells ask while somebody types; its words are no arguments yet. */
const asksForChoices = /^__complete(NoDesc)?$/

async function run(line: readonly string[], surroundings: Surroundings, cache: CacheFiles): Promise<void> {
  const { out } = surroundings
  const index = firstArgument(globalFlags, line)
  const name = line[index]
  if (asksForChoices.test(name ?? '')) {
    const { complete } = await import('./complete.js')
    return complete(without(line, index), surroundings, { cache, withAbout: name === '__complete' })
  }
  const isOverview = name === undefined || (name === 'help' && line.length === 1)
  if (isOverview) {
    readGlobals(line.filter((word) => word !== 'help'))
    return out(overview(catalogue, about))
  }
  if (name === 'options') return out(`These can be given to every command:\n\n${flagLines(globalFlags)}\n`)
  if (name === 'help') return out(await helpOn(line.slice(index + 1)))
  const found = await find(line, index)
  await runWithCode({ ...found, line: `kubectl ${line.map(shown).join(' ')}` }, surroundings, cache)
}

/** Throws where there is something among the flags that nobody knows. */
function readGlobals(line: readonly string[]): void {
  try {
    parseFlags(globalFlags, line)
  } catch (error) {
    if (error instanceof FlagError)
      throw new Error(`${error.message}\nSee 'kubectl --help' for usage.`, { cause: error })
    if (!(error instanceof HelpWanted)) throw error
  }
}

async function helpOn(words: readonly string[]): Promise<string> {
  if (words.length === 0) return overview(catalogue, about)
  const { path, command, rest } = await find(words, 0)
  if (rest.length > 0) throw new Error(`Unknown help topic [${words.map((word) => `\`${word}\``).join(' ')}]`)
  return helpText(path, command)
}

/** Walks down from command to subcommand. */
async function find(line: readonly string[], index: number): Promise<Found> {
  const name = line[index]!
  const entry = entryOf(catalogue, name)
  if (!entry)
    throw new Error(index > 0 ? `Error: flags cannot be placed before plugin name: ${line[0]}` : unknownCommand(name))
  let found: Found = { path: `kubectl ${entry[0]}`, command: await entry[1].load(), rest: without(line, index) }
  for (;;) {
    const { command, path, rest } = found
    const next = firstArgument({ ...command.flags, ...globalFlags }, rest)
    const sub = next === -1 ? undefined : entryOf(command.subcommands, rest[next]!)
    if (!sub) return found
    found = { path: `${path} ${sub[0]}`, command: await sub[1].load(), rest: without(rest, next) }
  }
}

function without(line: readonly string[], index: number): readonly string[] {
  return line.filter((_, at) => at !== index)
}

function entryOf(all: Catalogue, name: string): readonly [string, Entry] | undefined {
  return Object.entries(all).find(([key, { aliases = [] }]) => key === name || aliases.includes(name))
}

function unknownCommand(name: string): string {
  const near = suggestions(name, [...Object.keys(catalogue)])
  const hint = near.length === 0 ? '' : `\n\nDid you mean this?\n${near.map((each) => `\t${each}`).join('\n')}`
  return `unknown command "${name}" for "kubectl"${hint}`
}

/** Some commands mean something by the usual code for failure. */
async function runWithCode(
  found: Found & { readonly line: string },
  surroundings: Surroundings,
  cache: CacheFiles,
): Promise<void> {
  const { failureCode } = found.command
  try {
    await runFound(found, surroundings, cache)
  } catch (error) {
    if (failureCode === undefined || error instanceof ExitCode) throw error
    await surroundings.err(`${tell(error)}\n`)
    throw new ExitCode(failureCode)
  }
}

async function runFound(
  { path, line, command, rest }: Found & { readonly line: string },
  surroundings: Surroundings,
  cache: CacheFiles,
): Promise<void> {
  const { out, err } = surroundings
  const parsed = await parse(path, command, rest, surroundings)
  if (parsed === 'help') return out(helpText(path, command))
  if (!command.run) {
    const [word] = parsed.args
    if (word === undefined) {
      await out(helpText(path, command))
      throw new ExitCode(1)
    }
    throw new UsageError(path, `unknown command "${word}"`)
  }
  const factory = new Factory({ ...globalsOf(parsed, command), surroundings, cache, command: path })
  try {
    const { flags, args, dash } = parsed
    const isSet = (name: string) => parsed.isSet(name)
    await command.run({ path, line, flags, args, dash, isSet, factory, out, err: (text) => err(text) })
    refuseWarnings(factory)
  } finally {
    await factory.close()
  }
}

/** A flag of the command hides a global one of the same name: `--user` of a role binding says nothing of who sends it. */
function globalsOf(parsed: Parsed<FlagTable>, { flags }: Command) {
  const isHidden = (name: string) => Object.hasOwn(flags, name)
  const values = Object.entries(globalFlags).map(([name, { initial }]) => [
    name,
    isHidden(name) ? initial : parsed.flags[name],
  ])
  return {
    globals: Object.fromEntries(values) as unknown as GlobalValues,
    isSet: (name: string) => !isHidden(name) && parsed.isSet(name),
  }
}

async function parse(path: string, { flags, failureCode }: Command, rest: readonly string[], { err }: Surroundings) {
  const table: FlagTable = { ...globalFlags, ...flags }
  try {
    const parsed: Parsed<FlagTable> = parseFlags(table, rest)
    for (const name of parsed.deprecated) await err(`Flag --${name} has been deprecated, ${table[name]!.deprecated}\n`)
    return parsed
  } catch (error) {
    if (error instanceof HelpWanted) return 'help'
    if (!(error instanceof FlagError)) throw error
    if (failureCode !== undefined) throw new UsageError(path, error.message)
    throw new Error(`${error.message}\nSee '${path} --help' for usage.`, { cause: error })
  }
}

function refuseWarnings({ globals, warnings }: Factory): void {
  if (!globals['warnings-as-errors'] || warnings === 0) return
  throw new Error(warnings === 1 ? '1 warning received' : `${warnings} warnings received`)
}
