import {
  type Flag,
  type FlagTable,
  firstOperand,
  type ParsedArguments,
  parseArguments,
} from '../../base/flags/flags.js'
import { catalogue } from '../catalogue.js'
import type { Catalogue, Command } from '../command.js'
import { errorMessage } from '../command-errors.js'
import type { KubectlEnvironment } from '../environment.js'
import type { CacheFiles } from '../factory/disk-discovery.js'
import { Factory } from '../factory/factory.js'
import { kubectlFlagErrors } from '../flag-errors.js'
import { type GlobalValues, globalFlags } from '../global-flags.js'
import { Choices, type Completion, files, noCompletion, noFiles } from './choices.js'

/** A line that the user is still typing. */
interface UnfinishedLine {
  /** `rollout status`; '' if the line has no command yet. */
  readonly path: string
  readonly subcommands: Catalogue
  readonly table: FlagTable
  /** The words between the command and the last word. */
  readonly rest: readonly string[]
}

const directiveNames: Readonly<Record<number, string>> = {
  0: 'ShellCompDirectiveDefault',
  4: 'ShellCompDirectiveNoFileComp',
  8: 'ShellCompDirectiveFilterFileExt',
}

/**
 * Prints completions of the last word of a line in upstream's format: one choice per line, then a number that tells the shell what to do
 * with them. On errors it prints nothing that a shell could take for a choice.
 */
export async function complete(
  line: readonly string[],
  environment: KubectlEnvironment,
  options: { readonly cache: CacheFiles; readonly withAbout: boolean },
): Promise<void> {
  const { out, err } = environment
  const last = line.at(-1) ?? ''
  const { choices, directive } = await completed(line.slice(0, -1), last, environment, options.cache).catch(
    async (error: unknown) => {
      await err(`[Debug] [Error] ${errorMessage(error)}\n`)
      return noCompletion
    },
  )
  const lines = choices.map(([name, about]) => (options.withAbout && about !== '' ? `${name}\t${about}` : name))
  await out([...lines, `:${directive}`].map((each) => `${each}\n`).join(''))
  await err(`Completion ended with directive: ${directiveNames[directive]}\n`)
}

async function completed(
  before: readonly string[],
  last: string,
  environment: KubectlEnvironment,
  cache: CacheFiles,
): Promise<Completion> {
  const unfinished = await read(before)
  const { table, rest, subcommands, path } = unfinished
  const open = openFlag(table, rest)
  const parsed = parseArguments(table, open ? rest.slice(0, -1) : rest, { errors: kubectlFlagErrors })
  if (parsed.dash !== undefined) return noCompletion
  const isFlag = last.startsWith('-')
  const [flagName, value] = open ? [open, last] : isFlag && last.includes('=') ? assigned(last) : ['', '']
  if (isFlag && flagName === '') return flagChoices(table, parsed, last)
  const args = parsed.operands
  if (flagName === '' && args.length === 0 && Object.keys(subcommands).length > 0)
    return { choices: commandChoices(subcommands, last, path === ''), directive: noFiles }
  const factory = factoryOf(parsed, environment, cache)
  try {
    const found = new Choices(factory, { path, args })
    return flagName === '' ? await found.argument(last) : await found.flag(longName(table, flagName), value)
  } finally {
    await factory.close()
  }
}

/** Resolves the words to a command and its subcommands. Throws for an unknown command. */
async function read(before: readonly string[]): Promise<UnfinishedLine> {
  let found: UnfinishedLine = { path: '', subcommands: catalogue, table: globalFlags, rest: before }
  for (;;) {
    const { table, rest, subcommands, path } = found
    const index = firstOperand(table, rest)
    if (index === -1) return found
    const name = rest[index]!
    const entry = Object.entries(subcommands).find(([key, { aliases = [] }]) => key === name || aliases.includes(name))
    if (!entry && path === '') throw new Error(`unable to find a command for arguments: [${before.join(' ')}]`)
    if (!entry) return found
    const command: Command = await entry[1].load()
    found = {
      path: path === '' ? entry[0] : `${path} ${entry[0]}`,
      subcommands: command.subcommands,
      table: { ...globalFlags, ...command.flags },
      rest: rest.filter((_, at) => at !== index),
    }
  }
}

/** Returns the last word if it is a flag that needs a value. */
function openFlag(table: FlagTable, rest: readonly string[]): string | undefined {
  const word = rest.at(-1) ?? ''
  if (!/^--?[^-=]/.test(word) || word.includes('=')) return undefined
  const flag = flagOf(table, word)
  return flag && flag.bare === undefined && (word.startsWith('--') || word.length === 2) ? word : undefined
}

function flagOf(table: FlagTable, word: string): Flag<unknown> | undefined {
  return table[longName(table, word)]
}

function longName(table: FlagTable, word: string): string {
  if (word.startsWith('--')) return word.slice(2)
  return Object.keys(table).find((name) => table[name]!.short === word[1]) ?? ''
}

function assigned(word: string): readonly [string, string] {
  const [, name = '', value = ''] = /^(--?[^=]+)=([\s\S]*)$/.exec(word) ?? []
  return [name, value]
}

function commandChoices(all: Catalogue, last: string, isTop: boolean) {
  const own: readonly (readonly [string, string])[] = isTop
    ? [
        ['help', 'Help about any command'],
        ['options', 'Print the list of flags inherited by all commands'],
      ]
    : []
  return [...Object.entries(all).map(([name, { about }]) => [name, about] as const), ...own]
    .filter(([name]) => name.startsWith(last))
    .sort(([left], [right]) => (left < right ? -1 : 1))
}

/** The flags that were not given yet or may be repeated. */
function flagChoices(table: FlagTable, parsed: ParsedArguments<FlagTable>, last: string): Completion {
  const shown = Object.entries(table).filter(
    ([name, flag]) =>
      !flag.isHidden && flag.deprecated === undefined && (!parsed.isSet(name) || Array.isArray(flag.read([]))),
  )
  const choices = shown
    .flatMap(([name, { short, help }]) => [
      [`--${name}`, help] as const,
      ...(short === undefined ? [] : [[`-${short}`, help] as const]),
    ])
    .filter(([word]) => word.startsWith(last))
  return { choices, directive: choices.length > 0 ? noFiles : files }
}

function factoryOf(parsed: ParsedArguments<FlagTable>, environment: KubectlEnvironment, cache: CacheFiles): Factory {
  const globals = parsed.flags as unknown as GlobalValues
  return new Factory({
    globals,
    isSet: (name) => parsed.isSet(name),
    environment,
    cache,
    command: 'kubectl __complete',
  })
}
