import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { created, patched } from '../../../testing/written-object.js'

const gang = { name: 'workers', schedulingPolicy: { gang: { minCount: 3 } } }
const controllerRef = { apiGroup: 'batch', kind: 'Job', name: 'train' }

function problemsOf(spec: object): readonly string[] {
  return created('scheduling/v1alpha2.Workload', { spec: { podGroupTemplates: [gang], ...spec } }).problems
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
    const alone = created('scheduling/v1alpha2.Workload', { spec: { podGroupTemplates: [gang] } })
    const controlled = patched(alone, { spec: { controllerRef } })
    assert.deepEqual(controlled.problems, [])
    assert.deepEqual(patched(alone, { spec: { controllerRef: { kind: 'a/b', name: '' } } }).problems, [
      'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
      'spec.controllerRef.name: Required value',
    ])
    assert.match(patched(controlled, { spec: { controllerRef: { name: 'x' } } }).problems.join(), /field is immutable$/)
  })
})

describe('pod groups', () => {
  const group = created('scheduling/v1alpha2.PodGroup', {
    spec: {
      schedulingPolicy: { basic: {} },
      podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName: 't' } },
    },
  })

  it('disrupt pods one by one unless they say otherwise', () => {
    assert.deepEqual(group.problems, [])
    assert.equal((group.object.spec as { disruptionMode: string }).disruptionMode, 'Pod')
  })

  it('name the template that they were made from, and keep it', () => {
    const { problems } = created('scheduling/v1alpha2.PodGroup', {
      spec: {
        schedulingPolicy: { basic: {} },
        podGroupTemplateRef: { workload: { workloadName: '', podGroupTemplateName: 'T' } },
      },
    })
    assert.equal(problems[0], 'spec.podGroupTemplateRef.workload.workloadName: Required value')
    assert.match(problems[1]!, /^spec\.podGroupTemplateRef\.workload\.podGroupTemplateName: Invalid value: "T"/)
    const changed = patched(group, { spec: { podGroupTemplateRef: { workload: { workloadName: 'other' } } } })
    assert.match(changed.problems.join(), /^spec\.podGroupTemplateRef: .*field is immutable$/)
  })
})
