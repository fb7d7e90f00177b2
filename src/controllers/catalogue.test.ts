import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseFlags, UsageError } from '../base/flags/flags.js'
import {
  type ControllerFlags,
  controllerFlags,
  controllerRoles,
  definitions,
  flagValuesOf,
  selectedControllers,
} from './catalogue.js'
import type { ControllerDefinition } from './definition.js'
import { missingControllerRoles } from './missing-controllers.js'

const folder = 'src/controllers'
const all: readonly ControllerDefinition[] = definitions

describe('the catalogue of controllers', () => {
  test('has the controller of every folder with a controller.ts, under the name of the folder', () => {
    const folders = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/controller.ts`))
    assert.deepEqual(all.map(({ name }) => name).sort(), folders.map((name) => `${name}-controller`).sort())
  })

  test('has no two controllers of the same name or alias', () => {
    const names = all.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]))
    assert.equal(new Set(names).size, names.length)
  })

  test('selects the controllers that --controllers names', () => {
    const selected = (...names: string[]) => selectedControllers(all, names).map(({ name }) => name)
    const standard = all.filter(({ isOffByDefault }) => !isOffByDefault).map(({ name }) => name)
    assert.deepEqual(selected('*'), standard)
    assert.deepEqual(selected('podgc', 'job-controller'), ['job-controller', 'pod-garbage-collector-controller'])
    assert.deepEqual(
      selected('*', '-job'),
      standard.filter((name) => name !== 'job-controller'),
    )
    assert.ok(selected('*', 'tokencleaner').includes('token-cleaner-controller'))
    assert.deepEqual(selected('job', '-job'), ['job-controller'])
    assert.throws(() => selected('*', '-jobs'), /^Error: "jobs" is not in the list of known controllers$/)
  })
})

describe('the roles of controllers', () => {
  test('are those of upstream, for the service accounts that upstream has', () => {
    const golden = readFileSync(`${folder}/upstream-roles.golden.txt`, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const accounts = new Set(golden.map((line) => /^[^ :]+/.exec(line)![0]))
    const upstream = controllerRoles.filter(({ serviceAccount }) => accounts.has(serviceAccount))
    const lines = upstream.flatMap(({ serviceAccount, rules = [], namespacedRules = {} }) => [
      ...rules.map((rule) => `${serviceAccount}: ${rule}`),
      ...Object.entries(namespacedRules).flatMap(([namespace, some]) =>
        some.map((rule) => `${serviceAccount} in ${namespace}: ${rule}`),
      ),
    ])
    assert.deepEqual(lines.sort(), golden.sort())
  })

  test('are the same for all controllers that share a service account', () => {
    for (const { serviceAccount, rules, namespacedRules } of all) {
      const others = all.filter((other) => serviceAccount !== undefined && other.serviceAccount === serviceAccount)
      for (const other of others) assert.deepEqual([other.rules, other.namespacedRules], [rules, namespacedRules])
    }
  })

  test('are listed as missing only for controllers that have no folder', () => {
    const accounts = new Set(all.map(({ serviceAccount }) => serviceAccount))
    for (const { serviceAccount } of missingControllerRoles) assert.ok(!accounts.has(serviceAccount), serviceAccount)
  })
})

describe('the flags of controllers', () => {
  const parse = (...args: string[]): ControllerFlags => parseFlags(controllerFlags, args)
  const valuesFor = (name: string, flags: Partial<ControllerFlags>) =>
    flagValuesOf(all.find((definition) => definition.name === name)!, flags)

  test('reach the controllers that declare them', () => {
    const flags = parse('--concurrent-gc-syncs=7', '--node-eviction-rate=.5', '--node-monitor-grace-period=1m')
    assert.deepEqual(valuesFor('garbage-collector-controller', flags), { 'concurrent-gc-syncs': 7 })
    const lifecycle = valuesFor('node-lifecycle-controller', flags)
    assert.equal(lifecycle['node-eviction-rate'], 0.5)
    assert.equal(lifecycle['node-monitor-grace-period'], 60_000)
  })

  test('have upstream defaults, whether parsed or left out', () => {
    assert.deepEqual(valuesFor('garbage-collector-controller', {}), { 'concurrent-gc-syncs': 20 })
    const { controllers, ...flags } = parse()
    assert.deepEqual(controllers, ['*'])
    assert.equal(flags['terminated-pod-gc-threshold'], 12_500)
    assert.equal(flags['unhealthy-zone-threshold'], 0.55)
    assert.equal(flags['allocate-node-cidrs'], false)
    assert.equal(flags['root-ca-file'], undefined)
  })

  test('must have valid values', () => {
    for (const bad of ['--node-eviction-rate=often', '--node-eviction-rate=-1', '--concurrent-gc-syncs=0'])
      assert.throws(() => parse(bad), UsageError, bad)
  })
})
