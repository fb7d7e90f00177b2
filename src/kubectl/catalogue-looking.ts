import type { Catalogue } from './command.js'

const debugging = 'Troubleshooting and Debugging Commands'

/** Commands that look at objects, at the server and at kubectl itself, and change nothing on the server. */
export const lookingCommands: Catalogue = {
  describe: {
    about: 'Show details of a specific resource or group of resources',
    heading: debugging,
    load: async () => (await import('./describe.js')).describe,
  },
  'api-resources': {
    about: 'Print the supported API resources on the server',
    load: async () => (await import('./api-resources.js')).apiResources,
  },
  'api-versions': {
    about: 'Print the supported API versions on the server, in the form of "group/version"',
    load: async () => (await import('./api-versions.js')).apiVersions,
  },
  version: {
    about: 'Print the client and server version information',
    load: async () => (await import('./version.js')).version,
  },
}
