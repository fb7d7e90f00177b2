import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Scheme } from '../../schema/scheme.js'
import { configurationVersion } from '../framework/plugin-arguments.js'
import { testPlugin } from './plugins.test.kit.js'
import { isKnownPlugin, isMissingPlugin, pluginRegistry } from './registry.js'

const methods = {
  queueSort: 'queueSort',
  preEnqueue: 'preEnqueue',
  filter: 'preFilter',
  postFilter: 'postFilter',
  score: 'preScore',
  bind: 'bind',
} as const

describe('every registered plugin', () => {
  for (const [name, declaration] of pluginRegistry)
    test(`${name} has exactly the methods of its extension points, and arguments of its name`, () => {
      const plugin = testPlugin(declaration)
      const points = Object.entries(methods).flatMap(([point, method]) => (plugin[method] ? [point] : []))
      assert.deepEqual(
        points,
        Object.keys(methods).filter((point) => declaration.extensionPoints.has(point as never)),
      )
      const { schema } = declaration.arguments ?? {}
      if (schema) assert.equal(schema.name, `${configurationVersion}.${name}Args`)
    })

  for (const [name, { arguments: args }] of pluginRegistry)
    if (args)
      test(`${name} declares all types of its arguments`, () => {
        const { types } = new Scheme({ declarations: [args.schema, ...(args.types ?? [])], groups: [] })
        for (const type of types.values()) assert.ok(type.fields) // throws if a reference is not declared
      })
})

test('no two plugins have the same position in the default profile', () => {
  const positions = [...pluginRegistry.values()].flatMap(({ defaultProfile }) => defaultProfile?.position ?? [])
  assert.equal(new Set(positions).size, positions.length)
})

test("configurations may name upstream's plugins that are missing here", () => {
  assert.deepEqual([isKnownPlugin('VolumeZone'), isMissingPlugin('VolumeZone')], [true, true])
  assert.deepEqual([isKnownPlugin('NodeName'), isMissingPlugin('NodeName')], [true, false])
  assert.deepEqual([isKnownPlugin('Guess'), isMissingPlugin('Guess')], [false, false])
})
