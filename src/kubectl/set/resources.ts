import { text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { command } from '../command.js'
import { nothingSelected } from '../resources/selection.js'
import { changePodSpecs, containersInPodSpec, matchesName, setFlags } from './containers.js'

const flags = {
  ...setFlags('kubectl-set'),
  containers: text('Names of the containers; * for all', { initial: '*', short: 'c' }),
  limits: text('Resource limits of the containers: cpu=100m,memory=256Mi'),
  requests: text('Resource requests of the containers: cpu=100m,memory=256Mi'),
} as const

export const setResources = command({
  usage: '(-f FILENAME | TYPE NAME) ([--limits=LIMITS & --requests=REQUESTS] [options]',
  about: 'Set the resource limits and requests of containers.',
  examples: ['kubectl set resources deployment web --limits=cpu=200m,memory=512Mi --requests=cpu=100m,memory=256Mi'],
  flags,
  async run(call) {
    const { flags: given, args } = call
    if (args.length === 0 && given.filename.length === 0) throw new Error(nothingSelected)
    if (given.limits === '' && given.requests === '')
      throw new Error('you must specify an update to requests or limits (in the form of --requests/--limits)')
    const changes = { limits: quantities(given.limits), requests: quantities(given.requests) }
    await changePodSpecs(call, args, 'resource requirements updated', (spec) =>
      withResources(spec, given.containers, changes),
    )
  },
})

type Quantities = Readonly<Record<string, string>>

function quantities(textual: string): Quantities {
  if (textual === '') return {}
  return Object.fromEntries(
    textual.split(',').map((part) => {
      const [name = '', amount = '', ...more] = part.split('=')
      if (name === '' || amount === '' || more.length > 0)
        throw new Error(`Invalid argument syntax ${part}, expected <resource>=<value>`)
      return [name, amount]
    }),
  )
}

function withResources(
  spec: JsonObject,
  pattern: string,
  changes: Readonly<Record<'limits' | 'requests', Quantities>>,
): JsonObject {
  const containers = containersInPodSpec(spec)
  if (!containers.some(({ name }) => matchesName(name, pattern)))
    throw new Error(`unable to find container named ${pattern}`)
  return {
    ...spec,
    containers: containers.map((container) => {
      if (!matchesName(container.name, pattern)) return container
      const before = objectIn(container, 'resources') ?? {}
      const entries = (['limits', 'requests'] as const).map((field) => [
        field,
        merged(objectIn(before, field), changes[field]),
      ])
      return {
        ...container,
        resources: { ...before, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) },
      }
    }),
  }
}

function merged(before: JsonObject = {}, changes: Quantities): JsonObject | undefined {
  const all = { ...before, ...changes }
  return Object.keys(all).length === 0 ? undefined : all
}
