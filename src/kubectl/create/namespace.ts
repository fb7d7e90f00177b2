import { generator, noTimestamp } from './generator.js'

export const createNamespace = generator({
  usage: 'NAME [--dry-run=server|client|none] [options]',
  about: 'Create a namespace with the given name.',
  examples: ['kubectl create namespace team'],
  flags: {},
  build: (_, name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...noTimestamp, name },
    spec: {},
    status: {},
  }),
})
