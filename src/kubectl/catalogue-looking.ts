import type { Catalogue } from './command.js'

const cluster = 'Cluster Management Commands'
const debugging = 'Troubleshooting and Debugging Commands'
const advanced = 'Advanced Commands'
const settings = 'Settings Commands'
const intermediate = 'Basic Commands (Intermediate)'

/** Commands that look at objects, at the server and at kubectl itself, and change nothing on the server. */
export const lookingCommands: Catalogue = {
  explain: {
    about: 'Get documentation for a resource',
    heading: intermediate,
    load: async () => (await import('./explain/explain.js')).explain,
  },
  'cluster-info': {
    about: 'Display cluster information',
    heading: cluster,
    aliases: ['clusterinfo'],
    load: async () => (await import('./cluster-info.js')).clusterInfo,
  },
  describe: {
    about: 'Show details of a specific resource or group of resources',
    heading: debugging,
    load: async () => (await import('./describe/describe.js')).describe,
  },
  auth: {
    about: 'Inspect authorization',
    heading: debugging,
    load: async () => (await import('./auth/auth.js')).auth,
  },
  events: {
    about: 'List events',
    heading: debugging,
    load: async () => (await import('./events.js')).events,
  },
  diff: {
    about: 'Diff the live version against a would-be applied version',
    heading: advanced,
    load: async () => (await import('./diff/diff.js')).diff,
  },
  completion: {
    about: 'Output shell completion code for the specified shell (bash, zsh or fish)',
    heading: settings,
    load: async () => (await import('./completion/completion.js')).completion,
  },
  'api-resources': {
    about: 'Print the supported API resources on the server',
    load: async () => (await import('./api-resources.js')).apiResources,
  },
  'api-versions': {
    about: 'Print the supported API versions on the server, in the form of "group/version"',
    load: async () => (await import('./api-versions.js')).apiVersions,
  },
  config: {
    about: 'Modify kubeconfig files',
    load: async () => (await import('./config/config.js')).config,
  },
  version: {
    about: 'Print the client and server version information',
    load: async () => (await import('./version.js')).version,
  },
}
