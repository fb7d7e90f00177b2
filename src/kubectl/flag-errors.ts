import { FlagValueError } from '../base/flags/flag-types.js'
import { type Flag, type FlagErrors, UsageError } from '../base/flags/flags.js'
import { quote } from '../schema/quote.js'

/** The line has `--help` or `-h`, and the command has no such flag of its own. */
export class HelpRequested extends Error {
  override readonly name = 'HelpRequested'
}

/** The errors of the flag parser in upstream's words. */
export const kubectlFlagErrors: FlagErrors = {
  malformed: (word) => new UsageError(`bad flag syntax: ${word}`),
  unknownFlag: (_, name) => (name === 'help' ? new HelpRequested() : new UsageError(`unknown flag: --${name}`)),
  unknownShorthand: (_, letter, word) =>
    letter === 'h' ? new HelpRequested() : new UsageError(`unknown shorthand flag: '${letter}' in ${word}`),
  missingValue: (name, _, shorthand) =>
    new UsageError(
      `flag needs an argument: ${shorthand === undefined ? `--${name}` : `'${shorthand.letter}' in ${shorthand.word}`}`,
    ),
  invalidValue: (name, flag, text, error) => {
    const message = `invalid argument ${quote(text)} for ${quote(flagNames(name, flag))} flag: ${problemOf(text, error)}`
    return new UsageError(message, { cause: error })
  },
}

/** `-n, --namespace` */
function flagNames(name: string, { short }: Flag<unknown>): string {
  return short === undefined ? `--${name}` : `-${short}, --${name}`
}

function problemOf(text: string, error: UsageError): string {
  if (!(error instanceof FlagValueError)) return error.message
  if (error.parser === 'ParseDuration') return (error.cause as Error).message
  return `strconv.${error.parser}: parsing ${quote(text)}: ${error.problem}`
}
