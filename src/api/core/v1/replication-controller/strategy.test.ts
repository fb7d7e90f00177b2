import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { PodTemplate } from '../pod-template.js'
import type { ReplicationController } from '../replication-controller.js'

const controllers = new KindHarness<ReplicationController>('core/v1.ReplicationController')
const templates = new KindHarness<PodTemplate>('core/v1.PodTemplate')
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } }

describe('a replication controller', () => {
  test('gets its labels from the template, and an empty status', () => {
    const { object: controller, errors } = controllers.create({ spec: { template }, status: { replicas: 7 } })
    assert.deepEqual(controller.metadata.labels, { app: 'a' })
    assert.deepEqual(controller.spec.selector, { app: 'a' })
    assert.equal(controller.spec.replicas, 1)
    assert.deepEqual(controller.status, { replicas: 0 })
    assert.deepEqual(errors, [])
  })

  test('gets its labels from the template in a status write as well', () => {
    const old = controllers.create({ spec: { template } }).object
    const nameless = { metadata: { name: 'it' }, spec: {}, status: { replicas: 0 } }
    const { object } = controllers.update(old, (draft) => Object.assign(draft, nameless), 'status')
    assert.deepEqual([object.metadata.labels, object.spec], [{ app: 'a' }, old.spec])
  })

  test('needs a template that its selector matches', () => {
    assert.deepEqual(controllers.create({ spec: { replicas: -1, minReadySeconds: -2 } }).errors, [
      'spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0',
      'spec.selector: Required value',
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.template: Required value',
    ])
    const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never', activeDeadlineSeconds: 5 } }
    assert.deepEqual(controllers.create({ spec: { selector: { app: 'b' }, template: once } }).errors, [
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
    ])
  })

  test('has consistent counts', () => {
    const old = controllers.create({ spec: { template } }).object
    const status = {
      replicas: 2,
      fullyLabeledReplicas: 3,
      readyReplicas: 1,
      availableReplicas: 2,
      observedGeneration: -1,
    }
    const { errors } = controllers.update(old, (draft) => Object.assign(draft, { status }), 'status')
    assert.deepEqual(errors, [
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.fullyLabeledReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
    ])
  })

  test('orphans its pods, and can be selected by its replicas', () => {
    assert.equal(controllers.strategy.deletion!.orphansDependents, true)
    assert.equal(
      controllers.strategy.fields!['status.replicas']!(controllers.decode({ spec: {}, status: { replicas: 3 } })),
      '3',
    )
  })

  test('warns about names that become host names, and of its template when that changes', () => {
    const old = controllers.create({ metadata: { name: 'a.b' }, spec: { template } })
    assert.deepEqual(old.warnings, [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ])
    const doubtful = { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } }
    const changed = controllers.update(old, { spec: { template: doubtful } })
    assert.deepEqual(changed.warnings, [
      'template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ])
    assert.deepEqual(controllers.update(changed, {}).warnings, [])
  })

  test('shows desired and current replicas', () => {
    const object = controllers.decode({
      metadata: { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' },
      spec: { replicas: 3, template },
      status: { replicas: 2, readyReplicas: 1 },
    })
    assert.deepEqual(controllers.cells(object), ['a', 3, 2, 1, '60s', 'c', 'i:1', 'app=a'])
  })
})

describe('a pod template', () => {
  const made = (metadata: object, spec: object = {}) =>
    templates.create({ template: { metadata, spec: { ...template.spec, ...spec } } })

  test('is validated like a pod', () =>
    assert.deepEqual(
      made(
        { labels: { a: '!' }, annotations: { 'b c': '' } },
        { ephemeralContainers: [{ name: 'd', image: 'i' }] },
      ).errors.map((text) => text.split(': ').slice(0, 3).join(': ')),
      [
        'template.labels: Invalid value: "!"',
        'template.annotations: Invalid value: "b c"',
        'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
      ],
    ))

  test('keeps AppArmor annotations, with a warning', () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/c'
    const { object, warnings } = made({ annotations: { [key]: 'unconfined' } })
    assert.equal(object.template.spec!.containers[0]!.securityContext, undefined)
    assert.deepEqual(warnings, [
      `template.metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ])
  })

  test('shows its containers and the labels of its pods', () => {
    assert.deepEqual(templates.cells(made({ labels: { b: '2', a: '1' } })), ['it', 'c', 'i:1', 'a=1,b=2'])
    assert.deepEqual(templates.cells(made({})), ['it', 'c', 'i:1', '<none>'])
  })
})
