import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod/spec.js'
import type { PodPartContext } from '../pod/validation-context.js'
import type { EphemeralContainer } from './ephemeral-container.js'
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
  validateTrimmedImages,
} from './validation.js'

const good = { name: 'app', image: 'nginx', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' } as const
const wrong = (value: unknown) => value as never

const contextOf = (spec: Partial<PodSpec>, old?: PodSpec): PodPartContext => ({
  allowPrivileged: false,
  spec: { containers: [good], terminationGracePeriodSeconds: 30, ...spec },
  old,
  volumes: new Map(),
})

const ordinary = (containers: readonly Container[], spec: Partial<PodSpec> = {}) =>
  validateContainers(containers, fieldPath('containers'), contextOf(spec)).map(String)
const init = (containers: readonly Container[], spec: Partial<PodSpec> = {}, old?: PodSpec) =>
  validateInitContainers(containers, fieldPath('initContainers'), contextOf(spec, old)).map(String)
const ephemeral = (containers: readonly EphemeralContainer[], spec: Partial<PodSpec> = {}) =>
  validateEphemeralContainers(containers, fieldPath('ephemeralContainers'), contextOf(spec)).map(String)

const labelForm =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

describe('ordinary containers', () => {
  test('are required', () => {
    assert.deepEqual(ordinary([good]), [])
    assert.deepEqual(ordinary([]), ['containers: Required value'])
  })

  test('have names, images, and supported policies', () =>
    assert.deepEqual(
      ordinary([
        { name: '' },
        { ...good, name: 'Bad_Name', imagePullPolicy: wrong('Sometimes'), terminationMessagePolicy: wrong('Nowhere') },
      ]),
      [
        'containers[0].name: Required value',
        'containers[0].image: Required value',
        'containers[0].terminationMessagePolicy: Required value',
        'containers[0].imagePullPolicy: Required value',
        `containers[1].name: Invalid value: "Bad_Name": ${labelForm}`,
        'containers[1].terminationMessagePolicy: Unsupported value: "Nowhere": supported values: "File", "FallbackToLogsOnError"',
        'containers[1].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ))

  test('have distinct names and distinct host ports', () => {
    const ports = [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' as const }]
    assert.deepEqual(
      ordinary([
        { ...good, ports },
        { ...good, ports },
      ]),
      ['containers[1].name: Duplicate value: "app"', 'containers[1].ports[0].hostPort: Duplicate value: "TCP//8080"'],
    )
  })

  test('are validated in this order', () =>
    assert.deepEqual(
      ordinary(
        [
          {
            ...good,
            restartPolicy: wrong('Sometimes'),
            readinessProbe: {},
            livenessProbe: { exec: { command: ['true'] }, successThreshold: 1, periodSeconds: -1 },
            lifecycle: { preStop: {} },
            securityContext: { privileged: true },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'Later' }],
            resources: { limits: { cpu: '-1' } },
            envFrom: [{}],
            env: [{ name: '' }],
            ports: [{ containerPort: 0, protocol: 'TCP' }],
          },
        ],
        { restartPolicy: 'Never' },
      ),
      [
        'containers[0].ports[0].containerPort: Required value',
        'containers[0].env[0].name: Required value',
        'containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
        'containers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
        'containers[0].resizePolicy: Unsupported value: "Later": supported values: "NotRequired", "RestartContainer"',
        "containers[0].resizePolicy: Invalid value: \"Later\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
        'containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
        'containers[0].lifecycle.preStop: Required value: must specify a handler type',
        'containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'containers[0].readinessProbe: Required value: must specify a handler type',
        'containers[0].restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
      ],
    ))

  test('of a pod, not of a template, have images without spaces around them', () =>
    assert.deepEqual(
      validateTrimmedImages([good, { ...good, image: ' nginx ' }], fieldPath('containers')).map(String),
      ['containers[1].image: Invalid value: " nginx ": must not have leading or trailing whitespace'],
    ))
})

describe('init containers', () => {
  const probe = { exec: { command: ['true'] }, successThreshold: 1 }
  const notYet = 'may not be set for init containers without restartPolicy=Always'

  test('have other names than main containers', () =>
    assert.deepEqual(
      init([
        { ...good, name: 'one' },
        { ...good, name: 'one' },
        { ...good, name: 'app' },
      ]),
      ['initContainers[1].name: Duplicate value: "one"', 'initContainers[2].name: Duplicate value: "app"'],
    ))

  test('have neither probes nor hooks, unless they are sidecars', () => {
    const watched = {
      ...good,
      name: 'one',
      lifecycle: {},
      livenessProbe: probe,
      readinessProbe: probe,
      startupProbe: probe,
    }
    assert.deepEqual(init([watched]), [
      `initContainers[0].lifecycle: Forbidden: ${notYet}`,
      `initContainers[0].livenessProbe: Forbidden: ${notYet}`,
      `initContainers[0].readinessProbe: Forbidden: ${notYet}`,
      `initContainers[0].startupProbe: Forbidden: ${notYet}`,
    ])
    assert.deepEqual(init([{ ...watched, restartPolicy: 'Always' }]), [])
    assert.deepEqual(init([{ ...watched, restartPolicy: 'Always', livenessProbe: {} }]), [
      'initContainers[0].livenessProbe: Required value: must specify a handler type',
      'initContainers[0].livenessProbe.successThreshold: Invalid value: 0: must be 1',
    ])
  })

  test('are checked for host ports one by one; errors have the index of the first', () => {
    const twice = [
      { containerPort: 80, hostPort: 80, protocol: 'TCP' as const },
      { containerPort: 81, hostPort: 80, protocol: 'TCP' as const },
    ]
    assert.deepEqual(
      init([
        { ...good, name: 'one', ports: twice.slice(1) },
        { ...good, name: 'two', ports: twice },
      ]),
      ['initContainers[0].ports[1].hostPort: Duplicate value: "TCP//80"'],
    )
  })

  test('have no resize policy, except for sidecars and existing ones', () => {
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }]
    const one = { ...good, name: 'one', resizePolicy }
    assert.deepEqual(init([one]), [
      'initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to \'RestartContainer\' for non-sidecar initContainers',
    ])
    assert.deepEqual(init([{ ...one, restartPolicy: 'Always' }]), [])
    assert.deepEqual(init([one], {}, { containers: [good], initContainers: [one] }), [])
  })
})

describe('ephemeral containers', () => {
  test('have distinct names, and targets that are not ephemeral', () =>
    assert.deepEqual(
      ephemeral(
        [
          { ...good, name: 'first', targetContainerName: 'debug' },
          { ...good, name: 'app', image: ' x' },
          { ...good, name: 'debug', targetContainerName: 'first' },
          { ...good, name: 'debug' },
        ],
        { initContainers: [{ ...good, name: 'first' }] },
      ),
      [
        'ephemeralContainers[0].name: Duplicate value: "first"',
        'ephemeralContainers[0].targetContainerName: Not found: "debug"',
        'ephemeralContainers[1].image: Invalid value: " x": must not have leading or trailing whitespace',
        'ephemeralContainers[1].name: Duplicate value: "app"',
        'ephemeralContainers[3].name: Duplicate value: "debug"',
      ],
    ))

  test('lack fields on which the pod could depend', () => {
    const message = 'cannot be set for an Ephemeral Container'
    const probe = { exec: { command: ['true'] } }
    assert.deepEqual(
      ephemeral([
        {
          ...good,
          name: 'debug',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          resources: { limits: { cpu: '1' } },
          resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
          restartPolicy: 'Always',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
          livenessProbe: probe,
          readinessProbe: probe,
          startupProbe: probe,
          lifecycle: { preStop: probe },
        },
      ]),
      [
        'ports',
        'resources',
        'resizePolicy',
        'restartPolicy',
        'restartPolicyRules',
        'livenessProbe',
        'readinessProbe',
        'startupProbe',
        'lifecycle',
      ].map((name) => `ephemeralContainers[0].${name}: Forbidden: ${message}`),
    )
    assert.deepEqual(ephemeral([{ ...good, name: 'debug', resources: {} }]), [])
  })

  test('mount whole volumes', () => {
    const mount = { name: 'data', mountPath: '/data', subPath: 'x', subPathExpr: 'y' }
    const errors = ephemeral([{ ...good, name: 'debug', volumeMounts: [mount] }])
    for (const name of ['subPath', 'subPathExpr'])
      assert.ok(
        errors.includes(
          `ephemeralContainers[0].volumeMounts[0].${name}: Forbidden: cannot be set for an Ephemeral Container`,
        ),
      )
  })
})
