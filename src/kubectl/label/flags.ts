import { boolean, text } from '../../base/flags/flag-types.js'
import { managerFlag, recordFlag } from '../changes/change-flags.js'
import { dryRunFlag } from '../printers/outcome.js'
import { outputFlags } from '../printers/output.js'
import { fileFlags } from '../resources/selection.js'

/** Of the two commands that set pairs: labels and annotations. */
export const pairFlags = (manager: string) =>
  ({
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlag,
    ...recordFlag,
    ...managerFlag(manager),
    all: boolean('All objects of the types'),
    'all-namespaces': boolean('In every namespace', { short: 'A' }),
    'field-selector': text('Fields that objects must have'),
    list: boolean('Show what is there'),
    local: boolean('Do not ask the server: change what the files say, and print it'),
    overwrite: boolean('Change what has a value already'),
    'resource-version': text('Only if it is still at this revision'),
    selector: text('Labels that objects must have', { short: 'l' }),
  }) as const
