import type { Catalogue } from './command.js'

const beginner = 'Basic Commands (Beginner)'
const intermediate = 'Basic Commands (Intermediate)'
const advanced = 'Advanced Commands'

/** Every command, loaded when it is called: starting one must not cost what all the others need. */
export const catalogue: Catalogue = {
  create: {
    about: 'Create a resource from a file or from stdin',
    heading: beginner,
    load: async () => (await import('./create.js')).create,
  },
  get: {
    about: 'Display one or many resources',
    heading: intermediate,
    load: async () => (await import('./get.js')).get,
  },
  delete: {
    about: 'Delete resources by file names, stdin, resources and names, or by resources and label selector',
    heading: intermediate,
    load: async () => (await import('./delete.js')).deleteCommand,
  },
  apply: {
    about: 'Apply a configuration to a resource by file name or stdin',
    heading: advanced,
    load: async () => (await import('./apply.js')).apply,
  },
}
