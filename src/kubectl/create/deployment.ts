import { generatedName } from '../../api/metadata/generated-names.js'
import { csvList, signedInteger } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { generator, noTimestamp } from './generator.js'

export const createDeployment = generator({
  usage: 'NAME --image=image -- [COMMAND] [args...] [options]',
  about: 'Create a deployment with the given name, whose pods run the given images.',
  examples: [
    'kubectl create deployment web --image=nginx --replicas=3 --port=80',
    'kubectl create deployment idle --image=busybox -- sleep 3600',
  ],
  flags: {
    image: csvList('Images of the containers'),
    port: signedInteger('Port of the first container', { initial: -1 }),
    replicas: signedInteger('The number of replicas', { initial: 1, short: 'r' }),
  },
  required: ['image'],
  failure: 'failed to create deployment: ',
  build: ({ flags, args, factory }, name) => {
    const command = args.slice(1)
    if (flags.image.length > 1 && command.length > 0)
      throw new Error('cannot specify multiple --image options and command')
    const { random } = factory.environment
    const suffix = (name: string) => generatedName(`${name}-`, random)
    const containers = flags.image.map((image, index) => ({
      ...(command.length > 0 && { command }),
      image,
      name: containerName(image, suffix),
      ...(index === 0 && flags.port >= 0 && { ports: [{ containerPort: flags.port }] }),
      resources: {},
    }))
    return deployment(name, flags.replicas, containers)
  },
})

function deployment(name: string, replicas: number, containers: readonly JsonObject[]): JsonObject {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...noTimestamp, labels, name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: {},
      template: { metadata: { ...noTimestamp, labels }, spec: { containers } },
    },
    status: {},
  }
}

/** The last part of the image's path. A part that is not a valid name is changed into one, with a random suffix. */
function containerName(image: string, unique: (name: string) => string): string {
  const last = image.slice(image.lastIndexOf('/') + 1).replace(/[:@].*$/, '')
  return /[_.]/.test(last) ? unique(last.replace(/[_.]/g, '-')) : last
}
