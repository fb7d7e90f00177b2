import { commandGroup } from '../command.js'

export const auth = commandGroup({
  about: 'Show the identity and the permissions of the user.',
  subcommands: {
    'can-i': {
      about: 'Check whether an action is allowed',
      load: async () => (await import('./can-i.js')).canI,
    },
    whoami: {
      about: 'Experimental: Check self subject attributes',
      load: async () => (await import('./whoami.js')).whoami,
    },
  },
})
