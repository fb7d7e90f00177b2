import { editDistance } from '../base/edit-distance.js'
import { firstOperand, parseArguments, UsageError } from '../base/flags/flags.js'
import { catalogue } from './catalogue.js'
import type { Catalogue, CatalogueEntry } from './command.js'
import type { KubectlEnvironment } from './environment.js'
import type { CacheFiles } from './factory/disk-discovery.js'
import { HelpRequested, kubectlFlagErrors } from './flag-errors.js'
import { globalFlags } from './global-flags.js'
import { flagLines, helpText, overview } from './help.js'
import { type ResolvedCommand, reportErrors, runResolvedCommand } from './run-command.js'

const about = 'kubectl controls the Kubernetes cluster manager. This one is Proa’s.'

/** Runs a line without the leading `kubectl`. Resolves with the exit code after all errors have been printed. */
export async function kubectl(
  line: readonly string[],
  environment: KubectlEnvironment,
  cache: CacheFiles,
): Promise<number> {
  return reportErrors(() => run(line, environment, cache), environment)
}

/** The hidden commands of shell completion. Their arguments are an unfinished line. */
const asksForChoices = /^__complete(NoDesc)?$/

async function run(line: readonly string[], environment: KubectlEnvironment, cache: CacheFiles): Promise<void> {
  const { out } = environment
  const index = firstOperand(globalFlags, line)
  const name = line[index]
  if (asksForChoices.test(name ?? '')) {
    const { complete } = await import('./completion/complete.js')
    return complete(without(line, index), environment, { cache, withAbout: name === '__complete' })
  }
  const isOverview = name === undefined || (name === 'help' && line.length === 1)
  if (isOverview) {
    readGlobals(line.filter((word) => word !== 'help'))
    return out(overview(catalogue, about))
  }
  if (name === 'options') return out(`These can be given to every command:\n\n${flagLines(globalFlags)}\n`)
  if (name === 'help') return out(await helpOn(line.slice(index + 1)))
  const found = await find(line, index)
  await runResolvedCommand(found, line, { environment, cache })
}

/** Throws for unknown flags. */
function readGlobals(line: readonly string[]): void {
  try {
    parseArguments(globalFlags, line, { errors: kubectlFlagErrors })
  } catch (error) {
    if (error instanceof UsageError)
      throw new Error(`${error.message}\nSee 'kubectl --help' for usage.`, { cause: error })
    if (!(error instanceof HelpRequested)) throw error
  }
}

async function helpOn(words: readonly string[]): Promise<string> {
  if (words.length === 0) return overview(catalogue, about)
  const { path, command, rest } = await find(words, 0)
  if (rest.length > 0) throw new Error(`Unknown help topic [${words.map((word) => `\`${word}\``).join(' ')}]`)
  return helpText(path, command)
}

/** Resolves a line to a command or subcommand. */
async function find(line: readonly string[], index: number): Promise<ResolvedCommand> {
  const name = line[index]!
  const entry = entryOf(catalogue, name)
  if (!entry)
    throw new Error(index > 0 ? `Error: flags cannot be placed before plugin name: ${line[0]}` : unknownCommand(name))
  let found: ResolvedCommand = {
    path: `kubectl ${entry[0]}`,
    command: await entry[1].load(),
    rest: without(line, index),
  }
  for (;;) {
    const { command, path, rest } = found
    const next = firstOperand({ ...command.flags, ...globalFlags }, rest)
    const sub = next === -1 ? undefined : entryOf(command.subcommands, rest[next]!)
    if (!sub) return found
    found = { path: `${path} ${sub[0]}`, command: await sub[1].load(), rest: without(rest, next) }
  }
}

function without(line: readonly string[], index: number): readonly string[] {
  return line.filter((_, at) => at !== index)
}

function entryOf(all: Catalogue, name: string): readonly [string, CatalogueEntry] | undefined {
  return Object.entries(all).find(([key, { aliases = [] }]) => key === name || aliases.includes(name))
}

function unknownCommand(name: string): string {
  const near = suggestions(name, [...Object.keys(catalogue)])
  const hint = near.length === 0 ? '' : `\n\nDid you mean this?\n${near.map((each) => `\t${each}`).join('\n')}`
  return `unknown command "${name}" for "kubectl"${hint}`
}

/** Returns similar names: at most two edits away, or starting with the word. */
function suggestions(word: string, names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => editDistance(word.toLowerCase(), name) <= 2 || name.toLowerCase().startsWith(word.toLowerCase()),
  )
}
