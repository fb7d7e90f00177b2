import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const workloads = new KindHarness('scheduling/v1alpha2.Workload')
const podGroups = new KindHarness('scheduling/v1alpha2.PodGroup')
const gang = { name: 'workers', schedulingPolicy: { gang: { minCount: 3 } } }
const controllerRef = { apiGroup: 'batch', kind: 'Job', name: 'train' }

function problemsOf(spec: object): readonly string[] {
  return workloads.create({ spec: { podGroupTemplates: [gang], ...spec } }).errors
}

describe('workloads', () => {
  it('have groups of pods, each of its own name', () => {
    assert.deepEqual(problemsOf({}), [])
    assert.deepEqual(problemsOf({ podGroupTemplates: [] }), [
      'spec.podGroupTemplates: Required value: must have at least one item',
    ])
    assert.deepEqual(problemsOf({ podGroupTemplates: [gang, gang] }), [
      'spec.podGroupTemplates[1]: Duplicate value: "workers"',
    ])
    const nine = Array.from({ length: 9 }, (_, i) => ({ ...gang, name: `g-${i}` }))
    assert.deepEqual(problemsOf({ podGroupTemplates: nine }), [
      'spec.podGroupTemplates: Too many: 9: must have at most 8 items',
    ])
  })

  it('schedule each group in one way', () => {
    const path = 'spec.podGroupTemplates[0].schedulingPolicy'
    const problemsWith = (schedulingPolicy: object) =>
      problemsOf({ podGroupTemplates: [{ name: 'a', schedulingPolicy }] })
    assert.deepEqual(problemsWith({}), [`${path}: Invalid value: "": must specify one of: \`basic\`, \`gang\``])
    assert.deepEqual(problemsWith({ basic: {}, gang: { minCount: 1 } }), [
      `${path}: Invalid value: "{\`basic\`, \`gang\`}": exactly one of \`basic\`, \`gang\` is required, but multiple fields are set`,
    ])
    assert.deepEqual(problemsWith({ gang: { minCount: 0 } }), [`${path}.gang.minCount: Required value`])
    assert.deepEqual(problemsWith({ gang: { minCount: -1 } }), [
      `${path}.gang.minCount: Invalid value: -1: must be greater than zero`,
    ])
  })

  it('may get a controller later, but not another', () => {
    const alone = workloads.create({ spec: { podGroupTemplates: [gang] } })
    const controlled = workloads.update(alone, { spec: { controllerRef } })
    assert.deepEqual(controlled.errors, [])
    assert.deepEqual(workloads.update(alone, { spec: { controllerRef: { kind: 'a/b', name: '' } } }).errors, [
      'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
      'spec.controllerRef.name: Required value',
    ])
    assert.match(
      workloads.update(controlled, { spec: { controllerRef: { name: 'x' } } }).errors.join(),
      /field is immutable$/,
    )
  })
})

describe('pod groups', () => {
  const group = podGroups.create({
    spec: {
      schedulingPolicy: { basic: {} },
      podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName: 't' } },
    },
  })

  it('disrupt pods one by one by default', () => {
    assert.deepEqual(group.errors, [])
    assert.equal((group.object.spec as { disruptionMode: string }).disruptionMode, 'Pod')
  })

  it('name the template that they were made from, and keep it', () => {
    const { errors } = podGroups.create({
      spec: {
        schedulingPolicy: { basic: {} },
        podGroupTemplateRef: { workload: { workloadName: '', podGroupTemplateName: 'T' } },
      },
    })
    assert.equal(errors[0], 'spec.podGroupTemplateRef.workload.workloadName: Required value')
    assert.match(errors[1]!, /^spec\.podGroupTemplateRef\.workload\.podGroupTemplateName: Invalid value: "T"/)
    const changed = podGroups.update(group, { spec: { podGroupTemplateRef: { workload: { workloadName: 'other' } } } })
    assert.match(changed.errors.join(), /^spec\.podGroupTemplateRef: .*field is immutable$/)
  })
})
