import { deepStrictEqual as deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ruleFromText } from '../../../api/rbac/rule-text.js'
import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import { question, user } from '../authorization.test.kit.js'
import { CompiledRules, ruleRequest } from './compiled-rules.js'
import { comparisons, uncovered } from './coverage.js'
import { describeMany, describeRules } from './rule-text.js'

const rules = (...texts: readonly string[]) => texts.map(ruleFromText)
const missing = (held: readonly string[], wanted: readonly string[]) =>
  describeRules([...uncovered(rules(...held), rules(...wanted))])

describe('What somebody lacks of a role', () => {
  it('is nothing where they hold as much or more', () => {
    deepEqual(missing(['get list on pods of core'], ['get on pods of core']), [])
    deepEqual(missing(['* on * of *'], ['get on pods/log of core named x', 'delete on things of example.com']), [])
    deepEqual(missing(['get on */scale of *'], ['get on deployments/scale of apps']), [])
    deepEqual(missing(['get at /apis/*'], ['get at /apis/apps', 'get at /apis/*']), [])
    deepEqual(missing(['get on pods of core', 'list on pods of core'], ['get list on pods of core']), [])
    deepEqual(missing(['get on pods of core'], ['get on pods of core named web']), [])
  })

  it('is told in parts, verbs on the same thing together', () => {
    deepEqual(missing(['get on pods of core'], ['get delete list on pods secrets of core', '* on * of apps']), [
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "list"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete" "list"]}',
      '{APIGroups:["apps"], Resources:["*"], Verbs:["*"]}',
    ])
    deepEqual(missing([], ['get post at /x /y', 'get on pods of core named a b']), [
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["post"]}',
      '{NonResourceURLs:["/y"], Verbs:["get"]}',
      '{NonResourceURLs:["/y"], Verbs:["post"]}',
    ])
  })

  it('is everything where they hold it only for some names, or some of what a star stands for', () => {
    deepEqual(missing(['get on pods of core named web'], ['get on pods of core']).length, 1)
    deepEqual(missing(['get on pods of core named web'], ['get on pods of core named web db']).length, 1)
    deepEqual(missing(['get list on pods of core'], ['* on pods of core']).length, 1)
    deepEqual(missing(['get on pods/* of core'], ['get on pods/log of core']).length, 1)
    deepEqual(missing(['get on deployments/scale of apps'], ['get on */scale of apps']).length, 1)
    deepEqual(missing(['get at /apis'], ['get at /apis/*']).length, 1)
    deepEqual(missing(['get on pods of core'], ['get on pods of *']).length, 1)
  })

  it('is found without taking apart what is held as a whole, and counted before', () => {
    const many = (letter: string) => Array.from({ length: 200 }, (_, index) => `${letter}${index}`)
    const vast = { verbs: many('v'), apiGroups: many('g'), resources: many('r'), resourceNames: many('n') }
    for (const held of [rules('* on * of *'), [vast]]) {
      deepEqual(comparisons(held, [vast]), 0)
      deepEqual([...uncovered(held, [vast])], [])
    }
    deepEqual(comparisons(rules('get on pods of core'), [vast]), 21 * 200 ** 4)
    deepEqual(uncovered([], [vast]).next().value, {
      verbs: ['v0'],
      apiGroups: ['g0'],
      resources: ['r0'],
      resourceNames: ['n0'],
    })
  })

  it('is told up to a length', () => {
    const named = (length: number) =>
      Array.from({ length }, (_, index) => ruleFromText(`get on pods of core named n${index}`))
    ok(!describeMany(named(1000)).includes('more'))
    const [last, ...lines] = describeMany(named(5000)).split('\n').reverse()
    deepEqual(last, `... and ${5000 - lines.length} more`)
  })

  it('is never nothing where the role allows something that they may not do', () => {
    const some = (...values: readonly string[]) =>
      fc.subarray([...values], { minLength: 1 }).map((chosen) => [...chosen])
    const resourceRule = fc.record({
      verbs: some('get', 'list', '*'),
      apiGroups: some('', 'apps', '*'),
      resources: some('pods', 'pods/log', '*/scale', '*', 'deployments/scale'),
      resourceNames: fc.oneof(fc.constant([]), some('a', 'b')),
    })
    const pathRule = fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/a', '/a/*', '*') })
    const role: fc.Arbitrary<PolicyRule[]> = fc.array(fc.oneof(resourceRule, pathRule), { maxLength: 3 })
    const asked = ['get', 'list', 'delete'].flatMap((verb) => [
      ...['', 'apps', 'x'].flatMap((group) =>
        ['pods', 'pods/log', 'deployments/scale', 'things/scale', 'things'].flatMap((resource) =>
          ['', 'a', 'c'].map((name) => ruleRequest(question(user('u'), verb, resource, { group, name }))),
        ),
      ),
      ...['/a', '/a/b', '/c'].map((path) => ruleRequest(question(user('u'), verb, '', { isResource: false, path }))),
    ])
    fc.assert(
      fc.property(role, role, (held, wanted) => {
        if (!uncovered(held, wanted).next().done) return
        const [own, given] = [new CompiledRules(held), new CompiledRules(wanted)]
        for (const one of asked) ok(own.allow(one) || !given.allow(one), JSON.stringify(one))
      }),
      { numRuns: 2000 },
    )
  })
})
