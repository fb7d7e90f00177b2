import { managerFlag, recordFlag } from '../changes/change-flags.js'
import { text, yesNo } from '../flags/flag.js'
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
    all: yesNo('All objects of the types'),
    'all-namespaces': yesNo('In every namespace', { short: 'A' }),
    'field-selector': text('Fields that objects must have'),
    list: yesNo('Show what is there'),
    local: yesNo('Do not ask the server: change what the files say, and print it'),
    overwrite: yesNo('Change what has a value already'),
    'resource-version': text('Only if it is still at this revision'),
    selector: text('Labels that objects must have', { short: 'l' }),
  }) as const
