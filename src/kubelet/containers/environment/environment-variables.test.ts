import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Container } from '../../../api/core/v1/container.js'
import { testContainer, testPod } from '../pod.test.kit.js'
import { configObjects } from './config-objects.test.kit.js'
import { environmentVariables } from './environment-variables.js'

const objects = configObjects({
  configMaps: { m: { k: 'v', 'bad-name': 'x', A: 'from map' } },
  secrets: { s: { a: '1', binary: Buffer.from([0xff, 0x00]) } },
})

describe('the variables of a container', () => {
  test('can use earlier variables of objects and services', async () => {
    const variables = await variablesOf({
      envFrom: [{ prefix: 'P_', configMapRef: { name: 'm' } }, { configMapRef: { name: 'm' } }],
      env: [
        { name: 'A', value: 'a' },
        { name: 'B', value: '$(A)-b' },
        { name: 'C', value: '$$(A)' },
        { name: 'D', value: '$(LATER)' },
        { name: 'E', value: '$(P_k)' },
        { name: 'F', value: '$(WEB_SERVICE_HOST)' },
        { name: 'LATER', value: 'x' },
      ],
    })
    assert.deepEqual(variables, {
      P_k: 'v',
      'P_bad-name': 'x',
      P_A: 'from map',
      k: 'v',
      'bad-name': 'x',
      A: 'a',
      B: 'a-b',
      C: '$(A)',
      D: '$(LATER)',
      E: 'v',
      F: '10.0.0.7',
      LATER: 'x',
      WEB_SERVICE_HOST: '10.0.0.7',
    })
  })

  test('override those of services', async () => {
    const variables = await variablesOf({ env: [{ name: 'WEB_SERVICE_HOST', value: 'mine' }] })
    assert.deepEqual(variables, { WEB_SERVICE_HOST: 'mine' })
  })

  test('come from fields and resources', async () => {
    const variables = await variablesOf({
      resources: { limits: { cpu: '1500m' } },
      env: [
        { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'IPS', valueFrom: { fieldRef: { fieldPath: 'status.podIPs' } } },
        { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
        { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Gi' } } },
        { name: 'EMPTY' },
      ],
    })
    assert.deepEqual(variables, {
      NAME: 'web',
      IPS: '10.1.0.5',
      CPU: '1500',
      MEMORY: '4',
      EMPTY: '',
      WEB_SERVICE_HOST: '10.0.0.7',
    })
  })

  test('secrets may be binary', async () => {
    const variables = await environmentVariables(
      request({ env: [{ name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'binary' } } }] }),
    )
    assert.deepEqual(variables.get('B'), Buffer.from([0xff, 0x00]))
  })

  test('an optional missing value sets no variable', async () => {
    const optional = true
    const variables = await variablesOf({
      envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'nope', optional } }],
      env: [
        { name: 'X', valueFrom: { configMapKeyRef: { name: 'nope', key: 'k', optional } } },
        { name: 'Y', valueFrom: { secretKeyRef: { name: 's', key: 'nope', optional } } },
      ],
    })
    assert.deepEqual(Object.keys(variables), ['a', 'binary', 'WEB_SERVICE_HOST'])
  })

  const refusals: readonly (readonly [container: Partial<Container>, message: string])[] = [
    [
      { env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'nope', key: 'k' } } }] },
      'configmap "nope" not found',
    ],
    [{ env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 'nope', key: 'k' } } }] }, 'secret "nope" not found'],
    [
      { env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 's', key: 'b' } } }] },
      "couldn't find key b in Secret shop/s",
    ],
    [
      { env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'm', key: 'b' } } }] },
      "couldn't find key b in ConfigMap shop/m",
    ],
    [{ envFrom: [{ configMapRef: { name: 'nope' } }] }, 'configmap "nope" not found'],
    [{ envFrom: [{ secretRef: { name: 'nope' } }] }, 'secret "nope" not found'],
  ]
  for (const [container, message] of refusals)
    test(`${JSON.stringify(container)} is rejected`, () => assert.rejects(variablesOf(container), { message }))
})

describe('variables from a file of a volume', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-env-'))
    writeFileSync(join(folder, 'config.env'), "K='v'\nEMPTY=''\n")
    writeFileSync(join(folder, 'wrong.env'), 'K=v\n')
    symlinkSync('/etc/hostname', join(folder, 'out.env'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const fromFile = (path: string, key: string, more = {}) =>
    variablesOf(
      { env: [{ name: 'X', valueFrom: { fileKeyRef: { volumeName: 'v', path, key, ...more } } }] },
      new Map([['v', { path: folder, isReadOnly: false }]]),
    )

  test('have the values of the file', async () => assert.equal((await fromFile('config.env', 'K')).X, 'v'))

  test('are not set if an optional value is missing', async () => {
    assert.equal((await fromFile('config.env', 'NONE', { optional: true })).X, undefined)
    assert.equal((await fromFile('config.env', 'EMPTY', { optional: true })).X, undefined)
  })

  test('are rejected otherwise', async () => {
    const path = join(folder, 'config.env')
    await assert.rejects(fromFile('config.env', 'NONE'), {
      message: `environment variable key "NONE" not found in file "${path}"`,
    })
    await assert.rejects(fromFile('wrong.env', 'K'), { message: "couldn't parse env file" })
    await assert.rejects(fromFile('none.env', 'K'), { message: "couldn't parse env file" })
    await assert.rejects(fromFile('out.env', 'K'), /is not within/)
    const missing = variablesOf({
      env: [{ name: 'X', valueFrom: { fileKeyRef: { volumeName: 'no', path: 'a', key: 'K' } } }],
    })
    await assert.rejects(missing, { message: 'cannot find the volume "no" referenced by FileKeyRef' })
  })

  test('are rejected at once if the file is no regular file or too large', async () => {
    const refused = (path: string, why: RegExp) =>
      assert.rejects(fromFile(path, 'K'), (error: Error) => {
        assert.equal(error.message, "couldn't parse env file")
        assert.match((error.cause as Error).message, why)
        return true
      })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await refused('pipe', /is not a regular file/)
    mkdirSync(join(folder, 'folder'))
    await refused('folder', /is not a regular file/)
    writeFileSync(join(folder, 'long.env'), `K='v'\n#${' '.repeat(64 * 1024)}`)
    await refused('long.env', /is longer than 65536 bytes/)
    truncateSync(join(folder, 'long.env'), 64 * 1024)
    assert.equal((await fromFile('long.env', 'K')).X, 'v')
  })
})

function request(container: Partial<Container>, volumes = new Map()) {
  return {
    pod: testPod(),
    container: testContainer(container),
    addresses: { hostAddresses: ['10.0.0.1'], podAddresses: ['10.1.0.5'] },
    volumes,
    objects,
    allocatable: { memory: '4Gi' },
    services: new Map([['WEB_SERVICE_HOST', '10.0.0.7']]),
  }
}

async function variablesOf(container: Partial<Container>, volumes = new Map()): Promise<Record<string, string>> {
  const variables = await environmentVariables(request(container, volumes))
  return Object.fromEntries([...variables].map(([name, value]) => [name, value.toString()]))
}
