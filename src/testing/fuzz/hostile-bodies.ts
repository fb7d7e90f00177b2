import * as fc from 'fast-check'
import { setMember } from '../../schema/json-value.js'
import type { ServedKind } from '../../schema/scheme.js'
import { arbitraryObject } from '../objects/arbitrary-objects.js'
import { exampleObjects } from './examples.js'
import { hostileText } from './hostile-text.js'
import type { RandomChoices } from './random-choices.js'

/** Objects of each kind, made from its declaration: making one takes long, so that a few are used again and again. */
const pools = new Map<ServedKind, readonly Record<string, unknown>[]>()
const poolSize = 12

function pool(type: ServedKind): readonly Record<string, unknown>[] {
  let objects = pools.get(type)
  if (!objects) {
    objects = fc.sample(arbitraryObject(type, { depth: 3 }), { numRuns: poolSize, seed: 1 })
    pools.set(type, objects)
  }
  return objects
}

/** An object that could be one of the kind, under a name that others use, too; then something is done to it. */
export function objectBody(choices: RandomChoices, type: ServedKind): unknown {
  const { apiVersion, kind } = type.kind
  const example = exampleObjects.get(kind)
  if (example && !choices.rarely(4)) return exampleBody(choices, { apiVersion, kind, ...example })
  const found = choices.one(pool(type))
  const given = (found.metadata ?? {}) as object
  const metadata = {
    ...(choices.rarely(3) ? given : {}),
    name: choices.rarely(8) ? hostileText(choices) : choices.one(['web', 'a', 'b', 'c']),
  }
  const whole = { ...(choices.rarely(4) ? {} : { apiVersion, kind }), ...found, metadata }
  return choices.rarely(2) ? whole : mutated(choices, whole, 0)
}

function exampleBody(choices: RandomChoices, example: object): unknown {
  const metadata = { name: choices.one(['web', 'a', 'b', 'c']), labels: { app: choices.one(['web', 'x']) } }
  const whole = {
    ...example,
    metadata: choices.rarely(6) ? { ...metadata, finalizers: ['example.com/held'] } : metadata,
  }
  return choices.rarely(2) ? whole : mutated(choices, whole, 0)
}

const oddValues = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'x',
  [],
  {},
  [null],
  [[]],
  { a: { a: {} } },
  '\u0000',
] as const

/** One place in a value is changed: another value, another key, one left out, one twice. */
export function mutated(choices: RandomChoices, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || choices.rarely(6 + depth)) return replaced(choices, value)
  if (Array.isArray(value)) return mutatedList(choices, value, depth)
  return mutatedObject(choices, value as Record<string, unknown>, depth)
}

function replaced(choices: RandomChoices, value: unknown): unknown {
  if (typeof value === 'string' && choices.rarely(2)) return value + hostileText(choices)
  return choices.rarely(3) ? hostileText(choices) : choices.one(oddValues)
}

function mutatedList(choices: RandomChoices, list: readonly unknown[], depth: number): unknown[] {
  if (list.length === 0) return [choices.one(oddValues)]
  const index = choices.below(list.length)
  if (choices.rarely(4)) return [...list, list[index]]
  return list.map((element, i) => (i === index ? mutated(choices, element, depth + 1) : element))
}

function mutatedObject(
  choices: RandomChoices,
  object: Record<string, unknown>,
  depth: number,
): Record<string, unknown> {
  const keys = Object.keys(object)
  const result: Record<string, unknown> = {}
  const chosen = keys.length === 0 ? undefined : choices.one(keys)
  for (const key of keys) {
    if (key !== chosen) setMember(result, key, object[key])
    else if (!choices.rarely(5)) setMember(result, key, mutated(choices, object[key], depth + 1))
  }
  if (choices.rarely(3)) setMember(result, hostileText(choices), choices.one(oddValues))
  return result
}

/** Patches of all types. What they are for may or may not be there. */
export function patchBody(choices: RandomChoices, type: ServedKind, media: string): unknown {
  if (!media.includes('json-patch')) return choices.rarely(3) ? objectBody(choices, type) : mergePatch(choices, type)
  const pointer = () =>
    `/${choices.some(['metadata', 'labels', 'spec', 'a', '0', '-', '~1', '~', '__proto__', ''], 4).join('/')}`
  const operation = () => ({
    op: choices.one(['add', 'remove', 'replace', 'move', 'copy', 'test', 'frobnicate']),
    path: pointer(),
    ...(choices.rarely(2) && { from: pointer() }),
    ...(!choices.rarely(4) && { value: choices.one([...oddValues, hostileText(choices)]) }),
  })
  return Array.from({ length: choices.below(6) }, operation)
}

function mergePatch(choices: RandomChoices, type: ServedKind): unknown {
  const found = choices.one(pool(type))
  const directives = choices.one([
    {},
    { $patch: 'delete' },
    { $patch: 'replace' },
    { '$setElementOrder/finalizers': ['a', 1] },
  ])
  const { metadata: _, ...rest } = found
  return mutated(
    choices,
    { ...rest, metadata: { labels: { [hostileText(choices)]: hostileText(choices) } }, ...directives },
    0,
  )
}

/** Nothing that anyone would send. */
export function strangeBytes(choices: RandomChoices): Buffer {
  // Around the depths at which something gives way, and far beyond.
  const deep = choices.rarely(2) ? 200 + choices.below(2500) : 1 + choices.below(20_000)
  return choices.one<() => Buffer>([
    () => choices.bytes(choices.below(200)),
    () => Buffer.from('['.repeat(deep)),
    () => Buffer.from('['.repeat(deep) + ']'.repeat(deep)),
    () => Buffer.from(`${'{"a":'.repeat(deep)}null${'}'.repeat(deep)}`),
    () => Buffer.from(`{"metadata":{"name":"a","labels":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}}`),
    () =>
      Buffer.from(
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"a":"${'x'.repeat(choices.below(400_000))}"}}`,
      ),
    () =>
      Buffer.concat([
        Buffer.from('{"metadata":{"name":"'),
        Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
        Buffer.from('"}}'),
      ]),
    () => Buffer.from('{"__proto__":{"polluted":true},"metadata":{"name":"a","__proto__":{"polluted":true}}}'),
    () => Buffer.from('{"constructor":{"prototype":{"polluted":true}},"metadata":{"name":"a"}}'),
    () => Buffer.from('{"metadata":{"name":"a"},"metadata":{"name":"b"},"a":1e400,"b":-0,"c":1E-9}'),
    () => Buffer.from('a: &a [*a]\nb: *a\n'),
    () =>
      Buffer.from(
        `a0: &a0 [x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(8)}]`).join('\n')}\n`,
      ),
    () => Buffer.from(`${'- '.repeat(deep)}x`),
    () => Buffer.from('kind: ConfigMap\napiVersion: v1\nmetadata: {name: a, <<: {labels: {a: b}}}\n? [a]\n: b\n'),
    () => Buffer.from('---\na: 1\n---\nb: 2\n'),
    () => Buffer.from('\ufeff{"metadata":{"name":"a"}}'),
    () => Buffer.from('k8s\u0000\n\u0002v1\u0012\u0003Pod', 'latin1'),
    () => Buffer.alloc(0),
  ])()
}
