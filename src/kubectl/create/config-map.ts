import { isUtf8 } from 'node:buffer'
import { configMapKey } from '../../schema/identifiers.js'
import { quote } from '../../schema/quote.js'
import { generator, noTimestamp } from './generator.js'
import { hashFlag, readSources, sourceFlags, withContentHash } from './key-values.js'

export const createConfigMap = generator({
  usage: 'NAME [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none] [options]',
  about: 'Create a config map from files, directories or literal values.',
  examples: [
    'kubectl create configmap settings --from-literal=color=green --from-file=app.properties',
    'kubectl create configmap settings --from-env-file=settings.env',
  ],
  flags: { ...sourceFlags, ...hashFlag },
  failure: 'failed to create configmap: ',
  build: async ({ flags, factory }, name) => {
    const data: Record<string, string> = {}
    const binaryData: Record<string, string> = {}
    await readSources(flags, factory.environment, (key, value) => {
      checkKey(key)
      for (const [place, content] of [
        ['Data', data],
        ['BinaryData', binaryData],
      ] as const)
        if (Object.hasOwn(content, key))
          throw new Error(
            `cannot add key ${quote(key)}, another key by that name already exists in ${place} for ConfigMap ${quote(name)}`,
          )
      if (isUtf8(value)) data[key] = value.toString()
      else binaryData[key] = value.toString('base64')
    })
    const binary = Object.keys(binaryData).length > 0 && { binaryData }
    const content = { ...(Object.keys(data).length > 0 && { data }), ...binary }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...noTimestamp, name }, ...content }
    return flags['append-hash'] ? withContentHash(object, { data, ...binary }) : object
  },
})

function checkKey(key: string): void {
  const problems = configMapKey(key)
  if (problems.length > 0)
    throw new Error(`${quote(key)} is not a valid key name for a ConfigMap: ${problems.join(',')}`)
}
