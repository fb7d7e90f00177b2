import { commandGroup } from '../command.js'

export const config = commandGroup({
  about: `Look at kubeconfig files, and change them. Which files count: the one that --kubeconfig names, or else those that $KUBECONFIG
lists, or else ~/.kube/config. A change goes into the file that the changed part comes from.`,
  subcommands: {
    'current-context': {
      about: 'Display the current-context',
      load: async () => (await import('./contexts.js')).currentContext,
    },
    'delete-cluster': {
      about: 'Delete the specified cluster from the kubeconfig',
      load: async () => (await import('./delete.js')).deleteCluster,
    },
    'delete-context': {
      about: 'Delete the specified context from the kubeconfig',
      load: async () => (await import('./delete.js')).deleteContext,
    },
    'delete-user': {
      about: 'Delete the specified user from the kubeconfig',
      load: async () => (await import('./delete.js')).deleteUser,
    },
    'get-clusters': {
      about: 'Display clusters defined in the kubeconfig',
      load: async () => (await import('./contexts.js')).getClusters,
    },
    'get-contexts': {
      about: 'Describe one or many contexts',
      load: async () => (await import('./contexts.js')).getContexts,
    },
    'get-users': {
      about: 'Display users defined in the kubeconfig',
      load: async () => (await import('./contexts.js')).getUsers,
    },
    'rename-context': {
      about: 'Rename a context from the kubeconfig file',
      load: async () => (await import('./set-context.js')).renameContext,
    },
    set: {
      about: 'Set an individual value in a kubeconfig file',
      load: async () => (await import('./set.js')).set,
    },
    'set-cluster': {
      about: 'Set a cluster entry in kubeconfig',
      load: async () => (await import('./set-cluster.js')).setCluster,
    },
    'set-context': {
      about: 'Set a context entry in kubeconfig',
      load: async () => (await import('./set-context.js')).setContext,
    },
    'set-credentials': {
      about: 'Set a user entry in kubeconfig',
      load: async () => (await import('./set-credentials.js')).setCredentials,
    },
    unset: {
      about: 'Unset an individual value in a kubeconfig file',
      load: async () => (await import('./set.js')).unset,
    },
    'use-context': {
      about: 'Set the current-context in a kubeconfig file',
      aliases: ['use'],
      load: async () => (await import('./set-context.js')).useContext,
    },
    view: {
      about: 'Display merged kubeconfig settings or a specified kubeconfig file',
      load: async () => (await import('./view.js')).view,
    },
  },
})
