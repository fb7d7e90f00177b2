import { generator, noTimestamp } from './generator.js'

export const createServiceAccount = generator({
  usage: 'NAME [--dry-run=server|client|none] [options]',
  about: 'Create a service account with the given name.',
  examples: ['kubectl create serviceaccount robot'],
  flags: {},
  failure: 'failed to create serviceaccount: ',
  build: (_, name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...noTimestamp, name } }),
})
