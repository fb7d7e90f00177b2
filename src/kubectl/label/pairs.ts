import { boolean, text } from '../../base/flags/flag-types.js'
import { managerFlag, recordFlag } from '../changes/change-flags.js'
import { outputFlags } from '../printers/output.js'
import { dryRunFlag } from '../printers/result.js'
import { fileFlags } from '../resources/selection.js'

/** The flags of label and annotate. */
export const pairFlags = (manager: string) =>
  ({
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlag,
    ...recordFlag,
    ...managerFlag(manager),
    all: boolean('Select all objects of the given types'),
    'all-namespaces': boolean('Select objects in all namespaces', { short: 'A' }),
    'field-selector': text('Select objects by fields'),
    list: boolean('List the current values'),
    local: boolean('Change the objects of the files locally, without the server'),
    overwrite: boolean('Allow existing values to be changed'),
    'resource-version': text('Change the object only if it has this resource version'),
    selector: text('Select objects by labels', { short: 'l' }),
  }) as const

/** The changes on a line: `key=value` to set, `key-` to remove. */
export interface Pairs {
  readonly resources: readonly string[]
  readonly set: Readonly<Record<string, string>>
  readonly removed: readonly string[]
  /** As the user typed them. */
  readonly words: readonly string[]
}

/** `what` names the pairs in messages: labels or annotations. */
export function parsePairs(args: readonly string[], what: string): Pairs {
  const isPair = (word: string) => (word.includes('=') && !word.startsWith('=')) || (word.endsWith('-') && word !== '-')
  const first = args.findIndex(isPair)
  const resources = first === -1 ? args : args.slice(0, first)
  const words = first === -1 ? [] : args.slice(first)
  const late = words.find((word) => !isPair(word))
  if (late !== undefined) throw new Error(`all resources must be specified before ${what} changes: ${late}`)
  const set: Record<string, string> = {}
  const removed: string[] = []
  for (const word of words) {
    const at = word.indexOf('=')
    if (at > 0) set[word.slice(0, at)] = word.slice(at + 1)
    else removed.push(word.slice(0, -1))
  }
  return { resources, set, removed, words }
}
