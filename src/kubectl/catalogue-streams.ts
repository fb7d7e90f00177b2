import type { Catalogue } from './command.js'

const debugging = 'Troubleshooting and Debugging Commands'

/** Commands that open a way into a container. */
export const streamCommands: Catalogue = {
  attach: {
    about: 'Attach to a running container',
    heading: debugging,
    load: async () => (await import('./exec/attach.js')).attach,
  },
  exec: {
    about: 'Execute a command in a container',
    heading: debugging,
    load: async () => (await import('./exec/exec.js')).exec,
  },
  'port-forward': {
    about: 'Forward one or more local ports to a pod',
    heading: debugging,
    load: async () => (await import('./port-forward/port-forward.js')).portForward,
  },
  cp: {
    about: 'Copy files and directories to and from containers',
    heading: debugging,
    load: async () => (await import('./cp/cp.js')).cp,
  },
}
