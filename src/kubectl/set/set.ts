import { commandGroup } from '../command.js'

export const setCommand = commandGroup({
  about: 'Set fields of objects that have pods.',
  subcommands: {
    env: {
      about: 'Update environment variables on a pod template',
      load: async () => (await import('./env.js')).setEnv,
    },
    image: {
      about: 'Update the image of a pod template',
      load: async () => (await import('./image.js')).setImage,
    },
    resources: {
      about: 'Update resource requests/limits on objects with pod templates',
      load: async () => (await import('./resources.js')).setResources,
    },
  },
})
