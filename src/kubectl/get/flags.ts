import { boolean, csvList, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import { outputFlags } from '../printers/output.js'
import { defaultChunkSize } from '../resources/fetch.js'
import { fileFlags } from '../resources/selection.js'

export const getFlags = {
  ...fileFlags,
  ...outputFlags,
  'all-namespaces': boolean('Look into every namespace', { short: 'A' }),
  'chunk-size': signedInteger('How many objects come at once; 0 for all', { initial: defaultChunkSize }),
  'field-selector': text('Fields that objects must have: metadata.name=web,status.phase!=Running'),
  'ignore-not-found': boolean('Say nothing, and do not fail, where an object is not there'),
  'label-columns': csvList('Labels that get a column of their own', { short: 'L' }),
  'no-headers': boolean('Leave the headers of tables out'),
  'output-watch-events': boolean('With a watch: print events, and not just objects'),
  raw: text('Ask for this path, and print the answer as it is'),
  selector: text('Labels that objects must have: app=web,tier in (a,b)', { short: 'l' }),
  'server-print': boolean('Have the server make the tables', { initial: true }),
  'show-kind': boolean('Print the kind in front of names'),
  'show-labels': boolean('Print all labels in the last column'),
  'sort-by': text('Sort by the field that this path leads to'),
  subresource: text('Look at this part of the objects: status, scale'),
  watch: boolean('Go on to print changes', { short: 'w' }),
  'watch-only': boolean('Print changes only'),
} as const

export type GetContext = CommandContext<typeof getFlags>
