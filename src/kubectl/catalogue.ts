import { lookingCommands } from './catalogue-looking.js'
import type { Catalogue } from './command.js'

const beginner = 'Basic Commands (Beginner)'
const intermediate = 'Basic Commands (Intermediate)'

/** Every command, loaded when it is called: starting one must not cost what all the others need. */
export const catalogue: Catalogue = {
  get: {
    about: 'Display one or many resources',
    heading: intermediate,
    load: async () => (await import('./get.js')).get,
  },
  ...lookingCommands,
}

export const headings = { beginner, intermediate } as const
