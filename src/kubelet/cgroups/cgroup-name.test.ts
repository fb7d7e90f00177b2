import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cgroupPath, parseCgroupName, podUidOfCgroup } from './cgroup-name.js'
import { mountedHierarchies } from './hierarchies.js'

describe('cgroup names', () => {
  const pod = ['kubepods', 'burstable', 'pod12-34']

  test('of the driver cgroupfs', () => {
    assert.equal(cgroupPath(pod, 'cgroupfs'), '/kubepods/burstable/pod12-34')
    assert.equal(cgroupPath([...parseCgroupName('/a/b/'), ...pod], 'cgroupfs'), '/a/b/kubepods/burstable/pod12-34')
  })

  test('of the driver systemd', () => {
    assert.equal(
      cgroupPath(pod, 'systemd'),
      '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12_34.slice',
    )
  })

  test('tell the pod uid', () => {
    assert.equal(podUidOfCgroup('pod12-34', 'cgroupfs'), '12-34')
    assert.equal(podUidOfCgroup('kubepods-burstable-pod12_34.slice', 'systemd'), '12-34')
    assert.equal(podUidOfCgroup('kubepods-pod12_34.slice', 'systemd'), '12-34')
    assert.equal(podUidOfCgroup('burstable', 'cgroupfs'), undefined)
    assert.equal(podUidOfCgroup('kubepods-burstable.slice', 'systemd'), undefined)
  })
})

describe('mounted hierarchies', () => {
  test("version 1: one per controller, systemd's, and an empty one of version 2", () => {
    const table = [
      '31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755',
      '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
      '33 31 0:29 / /sys/fs/cgroup/again/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
      '40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime shared:9 - cgroup cgroup rw,xattr,name=systemd',
      '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate',
      '',
    ].join('\n')
    assert.deepEqual(mountedHierarchies(table), [
      { folder: '/sys/fs/cgroup/cpu,cpuacct', version: 1, controllers: ['cpu', 'cpuacct'] },
      { folder: '/sys/fs/cgroup/systemd', version: 1, controllers: ['name=systemd'] },
      { folder: '/sys/fs/cgroup/unified', version: 2, controllers: [] },
    ])
  })

  test('version 2: one hierarchy', () => {
    const table = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n'
    assert.deepEqual(mountedHierarchies(table), [{ folder: '/sys/fs/cgroup', version: 2, controllers: [] }])
  })
})
