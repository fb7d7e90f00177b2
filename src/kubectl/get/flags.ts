import { boolean, csvList, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import { outputFlags } from '../printers/output.js'
import { defaultChunkSize } from '../resources/fetch.js'
import { fileFlags } from '../resources/selection.js'

export const getFlags = {
  ...fileFlags,
  ...outputFlags,
  'all-namespaces': boolean('Select objects in all namespaces', { short: 'A' }),
  'chunk-size': signedInteger('How many objects to request at once; 0 for all', { initial: defaultChunkSize }),
  'field-selector': text('Select objects by fields: metadata.name=web,status.phase!=Running'),
  'ignore-not-found': boolean('Do not fail if an object does not exist'),
  'label-columns': csvList('Labels to show as columns', { short: 'L' }),
  'no-headers': boolean('Omit the headers'),
  'output-watch-events': boolean('With --watch: print watch events instead of objects'),
  raw: text('Request this path and print the response'),
  selector: text('Select objects by labels: app=web,tier in (a,b)', { short: 'l' }),
  'server-print': boolean('Let the server build the tables', { initial: true }),
  'show-kind': boolean('Prefix names with the kind'),
  'show-labels': boolean('Show all labels in the last column'),
  'sort-by': text('Sort by the field at this JSONPath'),
  subresource: text('Get this subresource of the objects: status, scale'),
  watch: boolean('Watch for changes after printing the objects', { short: 'w' }),
  'watch-only': boolean('Watch for changes without printing the objects first'),
} as const

export type GetContext = CommandContext<typeof getFlags>
