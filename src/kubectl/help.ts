import type { Flag, FlagTable } from '../base/flags/flags.js'
import type { Catalogue, Command } from './command.js'

/** The text of `--help` for a command. */
export function helpText(path: string, { about, examples, flags, usage, subcommands }: Command): string {
  const parts = [
    about,
    ...(examples.length > 0 ? [`Examples:\n${examples.map((line) => `  ${line}`).join('\n')}`] : []),
    ...(Object.keys(subcommands).length > 0 ? [`Available Commands:\n${commandLines(subcommands)}`] : []),
    ...(Object.keys(flags).length > 0 ? [`Options:\n${flagLines(flags)}`] : []),
    `Usage:\n  ${path} ${usage}`,
    `Use "kubectl options" for a list of global command-line options (applies to all commands).`,
  ]
  return `${parts.join('\n\n')}\n`
}

function commandLines(catalogue: Catalogue): string {
  const width = Math.max(...Object.keys(catalogue).map((name) => name.length))
  return Object.entries(catalogue)
    .map(([name, { about }]) => `  ${name.padEnd(width)}   ${about}`)
    .join('\n')
}

export function flagLines(flags: FlagTable): string {
  return Object.entries(flags)
    .filter(([, { isHidden, deprecated }]) => !isHidden && deprecated === undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, flag]) => flagLine(name, flag))
    .join('\n\n')
}

function flagLine(name: string, flag: Flag<unknown>): string {
  const { short, help } = flag
  return `    ${short === undefined ? '' : `-${short}, `}--${name}=${initialText(flag)}:\n\t${help}`
}

/** The default as pflag shows it. */
function initialText({ read, defaultText }: Flag<unknown>): string {
  const initial = read([])
  if (typeof initial === 'string') return `'${initial}'`
  if (typeof initial === 'boolean') return String(initial)
  return Array.isArray(initial) ? '[]' : defaultText
}

/** The text of `kubectl` without arguments: all commands by heading. */
export function overview(catalogue: Catalogue, about: string): string {
  const headings = [...new Set(Object.values(catalogue).map(({ heading = 'Other Commands' }) => heading))]
  const under = (heading: string) =>
    Object.fromEntries(Object.entries(catalogue).filter(([, entry]) => (entry.heading ?? 'Other Commands') === heading))
  const parts = headings.map((heading) => `${heading}:\n${commandLines(under(heading))}`)
  const hint = `Use "kubectl <command> --help" for more information about a given command.
Use "kubectl options" for a list of global command-line options (applies to all commands).`
  return `${[about, ...parts, 'Usage:\n  kubectl [flags] [options]', hint].join('\n\n')}\n`
}
