import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { int32 } from '../../schema/fields.js'
import type { Infer } from '../../schema/infer.js'
import { schema } from '../../schema/schema.js'
import { cluster, filterResults, node, pod, testPlugin } from '../plugins/plugins.test.kit.js'
import { declarePlugin, pluginsIn } from './declaration.js'
import { configurationVersion, validateRange } from './plugin-arguments.js'

const ToyArgs = schema(`${configurationVersion}.ToyArgs`, { optional: { maxPods: int32(0, { default: 1 }) } })
interface ToyArgs extends Infer<typeof ToyArgs> {}

/** The smallest plugin with arguments. */
const toy = declarePlugin({
  name: 'Toy',
  extensionPoints: ['filter'],
  arguments: { schema: ToyArgs, validate: ({ maxPods = 0 }: ToyArgs, path) => validateRange(path, maxPods, [1, 9]) },
  create: (_, { maxPods = 0 }: ToyArgs) => ({
    preFilter: () => ({
      filter: ({ pods }) =>
        pods.length < maxPods ? undefined : { plugin: 'Toy', reasons: ['toy is full'], isResolvable: true },
    }),
  }),
})

describe('a plugin', () => {
  const snapshot = cluster(node('empty'), node('used', { pods: [pod('a')] }))

  test('has the name of its declaration', () => assert.equal(testPlugin(toy).name, 'Toy'))

  test('gets the defaults of its arguments', () =>
    assert.deepEqual(filterResults(testPlugin(toy), pod('p'), snapshot), { empty: 'ok', used: 'toy is full' }))

  test('gets the arguments of the configuration', () =>
    assert.deepEqual(filterResults(testPlugin(toy, { maxPods: 2 }), pod('p'), snapshot), { empty: 'ok', used: 'ok' }))

  test('is found among the exports of a module', () =>
    assert.deepEqual(pluginsIn([{ toy, ToyArgs, other: 7, none: undefined }, {}]), [toy]))
})
