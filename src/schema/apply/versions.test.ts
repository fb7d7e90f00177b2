import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../declaration.js'
import { list, ref, string } from '../fields.js'
import { isObject } from '../json-value.js'
import { kind, schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { applyConfiguration } from './apply.js'
import { allFieldsFilter } from './field-set/filter.js'
import { managedFieldsOf, readManagers } from './managed-fields/entries.js'
import { shapeOf } from './shape/shape-of.js'
import { type ApplyTarget, applyTarget } from './target.js'
import { shown } from './toy-kind.test.kit.js'
import { updateManagedFields } from './update.js'
import type { Versions } from './versions.js'

/** A kind whose field is named after its version: `size1`, `size2`. */
const declare = (version: string) => [
  kind(`rope/${version}.Rope`, {
    optional: { spec: ref(1, `rope/${version}.Spec`), metadata: ref(2, 'rope/v1.Meta', { always: true }) },
  }),
  schema(`rope/${version}.Spec`, { optional: { [`size_${version}`]: string(1), name: string(2) } }),
]
const Meta = schema('rope/v1.Meta', { optional: { name: string(1), managedFields: list(2, string) } })
const names = ['v1', 'v2', 'v3'] as const
const scheme = new Scheme({ declarations: [Meta, ...names.flatMap(declare)], groups: [] })

const versions: Versions = {
  shape: (apiVersion) => shapeOf(scheme.kind(apiVersion, 'Rope')!),
  convert: ({ object, apiVersion: from }, to) => renamed(object, from.slice(-2), to.slice(-2)),
  filter: () => allFieldsFilter,
}

function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key.replace(from, to),
      isObject(value) && key === 'spec' ? renamed(value, from, to) : value,
    ]),
  )
}

const targets: Readonly<Record<string, ApplyTarget>> = Object.fromEntries(
  names.map((name) => [name, applyTarget(scheme.kind(`rope/${name}`, 'Rope')!, { versions })]),
)

/** Stores one object that is written in different versions. */
class Server {
  #live: JsonObject | undefined
  #version = 'v1'

  seenIn(version: string): JsonObject | undefined {
    const live = this.#live && renamed(this.#live, this.#version, version)
    return live && { ...live, apiVersion: `rope/${version}` }
  }

  apply(manager: string, version: string, spec: JsonObject): this {
    const configuration = { apiVersion: `rope/${version}`, kind: 'Rope', spec }
    const apply = { live: this.seenIn(version), configuration, manager, force: false, time: '2024-01-01T00:00:00Z' }
    this.#live = applyConfiguration(targets[version]!, apply)
    this.#version = version
    return this
  }

  update(manager: string, version: string, spec: JsonObject): this {
    const live = this.seenIn(version)
    const next = { apiVersion: `rope/${version}`, kind: 'Rope', metadata: {}, spec }
    this.#live = updateManagedFields(targets[version]!, { live, next, manager, time: '2024-01-01T00:00:00Z' })
    this.#version = version
    return this
  }

  get owned(): Record<string, string[]> {
    const owners = [...readManagers(managedFieldsOf(this.#live) ?? []).values()]
    return Object.fromEntries(owners.map(({ manager, fields }) => [manager, shown(fields)]))
  }
}

const orders = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c] as const)))

test('fields are given up, shared and taken over across versions that name them differently', () => {
  for (const [a, b, c] of orders) {
    const alone = new Server().apply('one', a, { name: 'n', [`size_${a}`]: 's' }).apply('one', b, { name: 'n' })
    assert.deepEqual(alone.seenIn(c)!.spec, { name: 'n' })
    assert.deepEqual(alone.owned, { one: ['.spec.name'] })

    const shared = new Server()
      .apply('one', a, { name: 'n', [`size_${a}`]: 's' })
      .apply('two', b, { [`size_${b}`]: 's' })
      .apply('one', c, { name: 'n' })
    assert.deepEqual(shared.seenIn(c)!.spec, { name: 'n', [`size_${c}`]: 's' })
    assert.deepEqual(shared.owned, { one: ['.spec.name'], two: [`.spec.size_${b}`] })

    const taken = new Server()
      .apply('one', a, { name: 'n', [`size_${a}`]: 's' })
      .update('two', b, { name: 'n', [`size_${b}`]: 't' })
    assert.deepEqual(taken.owned, { one: ['.spec.name'], two: [`.spec.size_${b}`] })
    assert.throws(() => taken.apply('one', c, { name: 'n', [`size_${c}`]: 's' }), {
      message: `Apply failed with 1 conflict: conflict with "two" using rope/${b}: .spec.size_${b}`,
    })
  }
})
