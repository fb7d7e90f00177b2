import { text } from '../../base/flags/flag-types.js'
import { canonicalQuantity } from '../../schema/values/quantity.js'
import { generator, noTimestamp } from './generator.js'

export const createQuota = generator({
  usage: 'NAME [--hard=key1=value1,key2=value2] [--scopes=Scope1,Scope2] [--dry-run=server|client|none] [options]',
  about: 'Create a quota with the given name, limits and scopes.',
  examples: [
    'kubectl create quota small --hard=cpu=1,memory=1G,pods=2',
    'kubectl create quota best --hard=pods=100 --scopes=BestEffort',
  ],
  flags: {
    hard: text('Limits: resource=quantity,resource=quantity'),
    scopes: text('Scopes of the quota, separated by commas'),
  },
  failure: 'failed to create quota: ',
  build: ({ flags }, name) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { ...noTimestamp, name },
    spec: {
      ...(flags.hard !== '' && { hard: readLimits(flags.hard) }),
      ...(flags.scopes !== '' && { scopes: flags.scopes.split(',') }),
    },
    status: {},
  }),
})

function readLimits(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', amount, ...more] = part.split('=')
      if (amount === undefined || more.length > 0)
        throw new Error(`Invalid argument syntax ${part}, expected <resource>=<value>`)
      return [name, canonicalQuantity(amount)]
    }),
  )
}
