import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '../../base/flags/flags.js'
import { kubeletFlags, nodeSettings } from './kubelet-flags.js'

const settings = (...args: string[]) => nodeSettings(parseFlags(kubeletFlags, args))

test('cores that are named take the place of any number of them', () => {
  const given = ['--cpu-manager-policy=static', '--system-reserved=cpu=500m,memory=1Gi', '--kube-reserved=cpu=1']
  const { cpus, node } = settings(...given, '--reserved-cpus=0-1,4')
  assert.equal(cpus?.policy, 'static')
  assert.equal(cpus?.reserved?.toString(), '0-1,4')
  assert.deepEqual([node?.systemReserved, node?.kubeReserved], [{ cpu: '3', memory: '1Gi' }, {}])
  assert.deepEqual(settings(...given).node?.kubeReserved, { cpu: '1' })
})

test('what is no list of cores, no policy and no amount is refused', () => {
  for (const flag of ['--reserved-cpus=4-1', '--cpu-manager-policy=fair', '--container-log-max-size=none'])
    assert.throws(() => settings(flag), /it must be/)
})
